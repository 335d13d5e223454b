// @ts-check
// Writes the memory of a started Python, with the calculators imported and the rules loaded.
//
//     node snapshot.mjs FOLDER FILE
//
// Clock and entropy stand still meanwhile, so that the same folder gives the same bytes. What is frozen
// this way is Python's `random` state and the times of its files; `os.urandom` asks the reader's browser.
import crypto from 'node:crypto';
import {readFile, writeFile} from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import path from 'node:path';
import {boot} from './boot.mjs';

const [folder, file] = process.argv.slice(2);

const EPOCH = Date.UTC(1980, 0, 1);
Date.now = () => EPOCH;
performance.now = () => 0;
// @ts-ignore: the fill is all zeros, of whatever view was asked for
crypto.randomFillSync = view => view.fill(0);
// @ts-ignore: as above
crypto.webcrypto.getRandomValues = globalThis.crypto.getRandomValues = view => view.fill(0);
syncBuiltinESMExports();

const pyodide = await boot(folder, {make: true});
// @ts-ignore: the heap is not in the published types
const size = pyodide._module.HEAP8.length;
pyodide.globals.set('rules', await readFile(path.join(folder, 'rules.json'), 'utf8'));
pyodide.runPython(`
import calculators.browser, gc
calculators.browser.load(rules)
del rules
gc.collect()
`);
const memory = pyodide.makeMemorySnapshot();
// @ts-ignore
if (pyodide._module.HEAP8.length !== size) {
  // Some versions of Pyodide make a snapshot of a heap that grew and cannot load it (pyodide issue 6254):
  // better to learn it here than to have every reader fall back to the archive.
  try {
    const again = await boot(folder, {snapshot: memory});
    again.pyimport('calculators.browser').handle('{}');
  } catch (error) {
    console.error(`heap grew from ${size} bytes: ${error}`);
    process.exit(3);
  }
}
await writeFile(file, memory);
process.exit(0);
