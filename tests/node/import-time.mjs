// @ts-check
// Prints the milliseconds Python under Node takes to import the rules code, then to load the rules of a published folder.
//
//     node import-time.mjs FOLDER
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {boot} from '../../generator/runtime/boot.mjs';

const folder = process.argv[2];
const rules = await readFile(path.join(folder, 'rules.json'), 'utf8');
const pyodide = await boot(folder);
const start = performance.now();
const browser = pyodide.pyimport('calculators.browser');
const imported = performance.now();
browser.load(rules);
console.log(imported - start, performance.now() - imported);
