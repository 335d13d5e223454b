// @ts-check
// Asks a published folder under Node: requests in, answers out, one JSON text a line, in order.
//
//     node ask.mjs FOLDER archive|snapshot < requests
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {boot} from '../../generator/runtime/boot.mjs';

const [folder, way] = process.argv.slice(2);
const pyodide = await boot(folder, {snapshot: way === 'snapshot'});
const browser = pyodide.pyimport('calculators.browser');
if (way === 'archive') browser.load(await readFile(path.join(folder, 'rules.json'), 'utf8'));
for await (const line of createInterface({input: process.stdin})) process.stdout.write(`${browser.handle(line)}\n`);
