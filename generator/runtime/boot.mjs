// @ts-check
// The pinned Pyodide under Node: one way to start it for the build and for the tests.
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {gunzipSync} from 'node:zlib';
import {loadPyodide} from 'pyodide';
import './failure.mjs';

/**
 * Start Python from a published folder.
 *
 * The loader is always the npm package's own, of which the folder holds a copy: under Node it wants
 * `ws`, which is found from here and not from wherever the folder is.
 *
 * @param {string} folder  the folder that holds manifest.json
 * @param {{snapshot?: boolean | Uint8Array, make?: boolean}} [way]  boot from the folder's snapshot or from
 *     another; be able to make one
 */
export async function boot(folder, {snapshot = false, make = false} = {}) {
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
  return loadPyodide({
    indexURL: folder,
    stdLibURL: path.join(folder, 'app.zip'),
    lockFileContents: {info: manifest.lock, packages: {}},
    packageBaseUrl: folder,
    env: make ? {PYTHONHASHSEED: '0'} : {},
    _makeSnapshot: make,
    _loadSnapshot: snapshot === true ? unpack(path.join(folder, 'snapshot.bin')) : snapshot || undefined,
  });
}

/** @param {string} file */
async function unpack(file) {
  return new Uint8Array(gunzipSync(await readFile(file)));
}
