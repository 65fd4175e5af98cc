import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckedBundle, checkBundle } from './check-bundle.ts';
import { BundleError } from './faults.ts';
import { withBundle } from './open-bundle.ts';
import { parseRecord } from './parse-record.ts';

const UUID = '0e2a4b66-9c1d-4f1e-8a3b-5d6c7e8f9a0b';
const OTHER = '1e2a4b66-9c1d-4f1e-8a3b-5d6c7e8f9a0b';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-hostile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A bundle with these persons and this `archive.json`. */
async function bundleOf({ persons = '', archive }: { persons?: string; archive?: string }): Promise<string> {
  const bundle = await mkdtemp(join(folder, 'bundle-'));
  for (const kind of KINDS) await writeFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`), '');
  await writeFile(join(bundle, 'persons.jsonl'), persons);
  if (archive !== undefined) await writeFile(join(bundle, 'archive.json'), archive);
  return bundle;
}

const check = async (content: { persons?: string; archive?: string }): Promise<CheckedBundle> =>
  withBundle(await bundleOf(content), (bundle) => checkBundle(bundle));

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('nesting without end is a fault of its line', async () => {
  const deep = check({ persons: `{"id":1,"uuid":"${UUID}","pictures":[${nested(20_000)}]}\n` });
  await expect(deep).rejects.toThrow(/^persons\.jsonl:1: pictures\[0\]: is nested deeper than 100 levels$/);
  const unknown = check({ persons: `{"id":1,"uuid":"${UUID}","more":${nested(20_000)}}\n` });
  await expect(unknown).rejects.toThrow(/^persons\.jsonl:1: more: is not a field of a person$/);
  const alone = check({ persons: `${nested(20_000)}\n` });
  await expect(alone).rejects.toThrow(/^persons\.jsonl: is a JSON array; expected one record on each line/);
});

test('a hundred levels are none too many, and what is derived may have any number', async () => {
  const line = `{"id":1,"uuid":"${UUID}","pictures":[${nested(100)}],"content":${nested(20_000)}}\n`;
  expect((await check({ persons: line })).index.kinds.person.count).toBe(1);
});

test('a record is too large by its own fields, not by what its line embeds', () => {
  const [text, more] = ['x'.repeat(2 * 2 ** 20), 'y'.repeat(4 * 2 ** 20)];
  const parse = (fields: object) => parseRecord('location', JSON.stringify({ id: 1, uuid: UUID, ...fields }));
  expect(parse({ content_nl: text })).toMatchObject({
    faults: [
      { reason: expect.stringMatching(/^has 2,097,\d\d\d bytes, where a record may have 2,097,152; put /) },
    ],
  });
  expect(parse({ content_nl: text.slice(1_000) })).toHaveProperty('record');
  expect(parse({ content: more, content_nl: 'x', events: [{ uuid: OTHER, content: more }] })).toHaveProperty(
    'record',
  );
  // Two and three bytes to a character.
  expect(parse({ content_nl: 'é'.repeat(2 ** 20) })).toHaveProperty('faults');
  expect(parse({ content_nl: '漢'.repeat(700_000) })).toHaveProperty('faults');
});

test('no fault gives a terminal what would control it, nor a book to read', async () => {
  const lines = [
    `{"id":1,"uuid":"${UUID}","\\u001b[2J":1}`,
    `{"id":2,"uuid":"${OTHER}","subjects":["\\u009b31m\\u202e"]}`,
    `{"id":3,"uuid":"\u001b]0;title\u0007"}`,
    `{"id":4,"uuid":"${OTHER.replace('1', '2')}","subjects":["${'x'.repeat(100_000)}"]}`,
  ];
  const error = await check({ persons: `${lines.join('\n')}\n` }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(BundleError);
  const said: string[] = error.message.split('\n');
  expect(said).toHaveLength(4);
  expect(said.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(said[0]).toBe('persons.jsonl:1: \\u001b[2J: is not a field of a person');
  expect(said[1]).toMatch(/; got "\\u009b31m\\u202e"$/);
  expect(said[2]).toMatch(/^persons\.jsonl:3: is not JSON: /);
  expect(said[3]?.length).toBeLessThan(600);
});

test('a reference by the address of another kind is a fault', () => {
  const subjects = (address: string) =>
    parseRecord('person', JSON.stringify({ id: 1, uuid: UUID, subjects: [address] }));
  for (const address of [
    `https://a.test/en/api/persons/${OTHER}`,
    `https://a.test/archive/nl/api/locations/${OTHER}?format=api`,
    `https://a.test/nl/gebeurtenissen/${OTHER}/`,
  ]) {
    expect(subjects(address), address).toMatchObject({
      faults: [
        {
          field: 'subjects[0]',
          reason: expect.stringContaining('expected a reference to a subject, and this is the address of'),
        },
      ],
    });
  }
  for (const address of [
    `https://a.test/nl/onderwerpen/${OTHER}/`,
    `https://a.test/en/api/subjects/${OTHER}`,
    `https://elsewhere.test/things/${OTHER}`,
  ]) {
    expect(subjects(address), address).toHaveProperty('record');
  }
});

test('archive.json may begin with a byte order mark', async () => {
  const archive = { title: { nl: 'Proef', en: 'Test' } };
  const checked = await check({ archive: `\ufeff${JSON.stringify(archive)}` });
  expect(checked.archive).toEqual(archive);
});
