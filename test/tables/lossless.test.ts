import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { arbitraryRecords } from '../../apps/api/testing/records.ts';
import { runApiHere } from '../support/api-here.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** @throws Error with what the program says if it fails */
async function convert(from: string, to: string, format: 'jsonl' | 'tables'): Promise<string> {
  const { code, stderr } = await runApiHere([
    'convert',
    from,
    to,
    ...(to.endsWith('.xlsx') ? [] : ['--to', format]),
  ]);
  if (code !== 0) throw new Error(stderr);
  return to;
}

async function linesOf(bundle: string): Promise<string[]> {
  return Promise.all(KINDS.map((kind) => readFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`), 'utf8')));
}

/** Difficult texts for a table: quotes, line breaks, separators, values that spreadsheets convert, Unicode, long texts. */
const HARD = [
  ...['', ' ', 'x', '"', '""', "'", ',', ';', '\t', '|', 'a|b', '\\', '\\empty', '\\\\'],
  ...[
    '\n',
    '\r\n',
    '\r',
    'a\n\nb',
    '=1+1',
    '+1',
    '-1',
    '@a',
    '0123',
    '1850',
    '1e5',
    'true',
    ' before',
    'after ',
  ],
  ...[
    '_x000D_',
    '_x005F_x000D_',
    '&amp;',
    '<p class="a">b</p>\n',
    ']]>',
    'é',
    'e\u0301',
    '€',
    '😀',
    '\u0080',
  ],
  ...['\u2028', '\ufeff', '\ufffe', '\uffff', '\u{10ffff}', 'x'.repeat(40_000), '😀'.repeat(20_000)],
];

const text = fc
  .tuple(fc.array(fc.constantFrom(...HARD), { maxLength: 3 }), fc.constantFrom('', ' ', 'y'))
  .map(([parts, between]) => parts.join(between));

/** A small archive in which every field has any valid value. */
const archive = fc
  .tuple(
    fc.uniqueArray(fc.uuid({ version: 4 }), { minLength: 16, maxLength: 16 }),
    fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4), fc.nat(4)),
  )
  .chain(([all, counts]) => {
    const of = (place: number) => all.slice(4 * place, 4 * place + (counts[place] ?? 0));
    const uuids = { person: of(0), subject: of(1), location: of(2), event: of(3) };
    const records = arbitraryRecords({ text, uuids });
    const linesOf = (kind: Kind) =>
      fc.tuple(
        ...uuids[kind].map((uuid, place) =>
          records[kind].map((fields) => ({
            id: place === 0 ? Number.MAX_SAFE_INTEGER : place,
            uuid,
            ...fields,
            ...(kind === 'subject' && { parent: place > 1 ? 1 : null }),
          })),
        ),
      );
    return fc.record({
      person: linesOf('person'),
      subject: linesOf('subject'),
      location: linesOf('location'),
      event: linesOf('event'),
    });
  });

test('a round trip through tables changes nothing', { timeout: 120_000 }, async () => {
  const roundTrip = async (records: Record<Kind, object[]>) => {
    const own = await temporaryFolder();
    const at = (name: string) => join(own, name);
    const bundle = await writeBundle(at('bundle'), records);
    const lines = await linesOf(await convert(bundle, at('lines'), 'jsonl'));
    for (const name of ['tables', 'tables.xlsx']) {
      const tables = await convert(bundle, at(name), 'tables');
      expect(await linesOf(await convert(tables, at(`${name}-back`), 'jsonl')), name).toEqual(lines);
    }
    const again = await convert(at('tables.xlsx'), at('again.xlsx'), 'tables');
    expect(await readFile(again)).toEqual(await readFile(at('tables.xlsx')));
  };
  await fc.assert(fc.asyncProperty(archive, roundTrip), { numRuns: 8, seed: 1 });
});

test('with the description of the archive', async () => {
  const at = (name: string) => join(folder, `archive-${name}`);
  const highlights = [uuidOf('person', 2), uuidOf('person', 1)];
  const person = [1, 2].map((id) => ({ id, uuid: uuidOf('person', id) }));
  const bundle = await writeBundle(at('bundle'), { person });
  const archive = {
    highlights,
    title: { nl: 'Proef', en: 'Test' },
    licence: { name: 'CC0', url: 'https://cc.test/0' },
    about: ['https://topic.test/a', 'https://topic.test/b'],
    logo: 'house/logo.png',
    colours: { light: '#00539b', dark: '#9CC7EF' },
  };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify(archive));
  for (const name of ['tables', 'tables.xlsx']) {
    const back = await convert(await convert(bundle, at(name), 'tables'), at(`${name}-back`), 'jsonl');
    expect(JSON.parse(await readFile(join(back, 'archive.json'), 'utf8')), name).toEqual(archive);
  }
});
