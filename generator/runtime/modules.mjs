// @ts-check
// Prints the files of the standard library that answering a list of requests opens, one a line.
//
//     node modules.mjs FOLDER < requests, one JSON text a line
//
// FOLDER holds an app.zip with the whole standard library; the result is what app.zip must keep.
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {boot} from './boot.mjs';

const [folder] = process.argv.slice(2);
const pyodide = await boot(folder);
pyodide.pyimport('calculators.browser').load(await readFile(path.join(folder, 'rules.json'), 'utf8'));
const {handle} = pyodide.pyimport('calculators.browser');
for await (const line of createInterface({input: process.stdin})) handle(line);
// An unforeseen error is shown with its traceback, which takes modules of its own.
try {
  pyodide.runPython('1 / 0');
} catch {
  // as wanted
}
console.log(pyodide.runPython(`
import sys
prefix = next(entry for entry in sys.path if entry.endswith(".zip")) + "/"
"\\n".join(sorted({
    module.__spec__.origin.removeprefix(prefix).removesuffix("c")
    for module in list(sys.modules.values())
    if getattr(module, "__spec__", None) and (module.__spec__.origin or "").startswith(prefix)
    and not module.__name__.partition(".")[0] == "calculators"
}))
`));
process.exit(0);
