import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from '@archiefkast/system';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { run as runApi } from '../../apps/api/dist/cli.js';
import { runHere } from '../faults/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Sets the title of a window, turns text red, and turns its direction. */
const CONTROLS = '\u001b]0;title\u0007\u009b31m\u202e';

/** What the programs draw themselves: the line of progress, and titles of tables in bold. */
const DRAWN = ['\r\u001b[2K', '\u001b[1m', '\u001b[22m'];

/** Whether a terminal that gets this is controlled by more than what the programs draw. */
function isControlled(said: string): boolean {
  const rest = DRAWN.reduce((text, drawn) => text.replaceAll(drawn, ''), said);
  return printable(rest, { keepLines: true }) !== rest;
}

/** A bundle that says control characters wherever archive-cli, which does not check it, takes a text. */
async function writeHostile(folder: string): Promise<string> {
  for (const kind of KINDS) await writeFile(join(folder, `${COLLECTIONS[kind]}.jsonl`), '');
  const texts = { uuid: `u${CONTROLS}`, title: `T${CONTROLS}`, birth_place: `P${CONTROLS}` };
  await writeFile(join(folder, 'persons.jsonl'), `${JSON.stringify({ id: 1, ...texts })}\n`);
  return folder;
}

test.each([
  ['stats'],
  ['stats', '--json'],
  ['diff', '--format', 'table'],
  ['diff', '--format', 'csv'],
  ['diff', '--format', 'json'],
  ['verify'],
])(
  'archive-cli %j writes what a bundle says to a terminal without its control characters',
  async (command, ...options) => {
    const [empty, hostile] = [await temporaryFolder(), await writeHostile(await temporaryFolder())];
    for (const kind of KINDS) await writeFile(join(empty, `${COLLECTIONS[kind]}.jsonl`), '');
    const folders = command === 'diff' ? [empty, hostile] : [hostile];
    const said = await runHere([command, ...folders, ...options], {}, { isTTY: true, columns: 80 });
    expect(isControlled(said.stdout + said.stderr)).toBe(false);
    if (command !== 'verify') expect(said.stdout).not.toBe('');
  },
);

test.each([['check'], ['check', '--json'], ['convert'], ['import']])(
  'archive-api %j writes what a bundle says to a terminal without its control characters',
  async (command, ...options) => {
    const hostile = await writeHostile(await temporaryFolder());
    await writeFile(join(hostile, 'archive.json'), JSON.stringify({ [`x${CONTROLS}`]: CONTROLS }));
    const out = command === 'convert' ? [join(await temporaryFolder(), 'out')] : [];
    let said = '';
    const output = { write: (text: string | Uint8Array) => (said += text), isTTY: true, columns: 80 };
    const outputs = { stdout: output, stderr: output, signal: new AbortController().signal };
    await runApi({ arguments: [command, hostile, ...out, ...options], environment: {}, ...outputs });
    expect(isControlled(said)).toBe(false);
    expect(said).not.toBe('');
  },
);

test('nothing is written but through the outputs that escape control characters', async () => {
  const root = join(import.meta.dirname, '../..');
  const found: string[] = [];
  for (const room of ['apps', 'packages']) {
    for (const path of await readdir(join(root, room), { recursive: true })) {
      if (!/^[^/]+\/src\/.*\.ts$/.test(path) || path.endsWith('.test.ts')) continue;
      const text = await readFile(join(root, room, path), 'utf8');
      if (/process\.std(?:out|err)|\bconsole\./.test(text)) found.push(`${room}/${path}`);
    }
  }
  expect(found.toSorted()).toEqual([
    // An example for developers of sites, and a sentence to an older Node, which cannot load the rest.
    'apps/api/src/http/routes/docs/description.ts',
    'packages/system/src/node-version.ts',
  ]);
});
