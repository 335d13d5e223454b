// @ts-check
// Compiles the .py files of the zips in a folder to .pyc, with the Python that will read them.
//
//     node compile.mjs FOLDER SITE_PACKAGES
//
// Bytecode is tied to one minor version of Python, and the one that counts is Pyodide's, not the
// host's. pyodide-build's py-compile command is pure Python, so it runs inside Pyodide itself, found
// through the host's site-packages: the same bytes come out whichever Python runs the build.
import {loadPyodide} from 'pyodide';
import './failure.mjs';

const [folder, sitePackages] = process.argv.slice(2);

const pyodide = await loadPyodide({
  // A fixed date makes py_compile write the hash of the source in the .pyc instead of its time.
  env: {SOURCE_DATE_EPOCH: '315532800', PYTHONHASHSEED: '0', PYTHONDONTWRITEBYTECODE: '1'},
});
pyodide.mountNodeFS('/compile', folder);
pyodide.mountNodeFS('/site', sitePackages);
await pyodide.runPythonAsync(`
import sys
sys.path.append("/site")
from pyodide_build.cli.py_compile import main
main(["--silent", "--no-keep", "--compression-level", "0", "/compile"], standalone_mode=False)
`);
