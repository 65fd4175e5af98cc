import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBundle } from './check-bundle.ts';
import { BundleError } from './faults.ts';
import { findBundle } from './open-bundle.ts';

const DIGITS: Record<Kind, number> = { person: 1, subject: 2, location: 3, event: 4 };
const uuidOf = (kind: Kind, id: number) =>
  `${DIGITS[kind]}0000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const line = (kind: Kind, id: number, more: object = {}) =>
  JSON.stringify({ id, uuid: uuidOf(kind, id), ...more });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-check-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A bundle with a valid first line in every file, followed by `lines` in the file of `kind`; and `archive.json`. */
async function bundleWith(kind: Kind, lines: readonly string[], archive?: string): Promise<string> {
  const bundle = await mkdtemp(join(folder, 'bundle-'));
  for (const each of KINDS) {
    const all = [line(each, 1000), ...(each === kind ? lines : [])];
    await writeFile(join(bundle, `${COLLECTIONS[each]}.jsonl`), all.map((text) => `${text}\n`).join(''));
  }
  if (archive !== undefined) await writeFile(join(bundle, 'archive.json'), archive);
  return bundle;
}

const check = async (bundle: string) => (await findBundle(bundle)).read(checkBundle);

/** The lines of the BundleError for an invalid bundle. */
async function refusal(bundle: string): Promise<string[]> {
  try {
    await check(bundle);
  } catch (error) {
    if (error instanceof BundleError) return error.message.split('\n');
    throw error;
  }
  return expect.fail('the bundle was accepted');
}

test('the first fifty different faults are listed, the rest counted', async () => {
  const names = Array.from(
    { length: 73 },
    (_, place) => `field${String.fromCharCode(97 + (place % 26))}${'x'.repeat(place)}`,
  );
  const said = await refusal(
    await bundleWith(
      'person',
      names.map((name, id) => line('person', id, { [name]: 1 })),
    ),
  );
  expect(said.slice(0, 50).every((text) => /^persons\.jsonl:\d+: field\w+: is not a field/.test(text))).toBe(
    true,
  );
  expect(said.slice(50)).toEqual(['… and 23 more']);
});

test('archive.json is read, also with a byte order mark', async () => {
  expect((await check(await bundleWith('person', []))).source.archive).toBeUndefined();
  const archive = {
    title: { nl: 'Proef', en: 'Test' },
    licence: { name: 'CC0', url: 'https://cc.test/0' },
    logo: 'house/logo.png',
    colours: { light: '#00539b', dark: '#9cc7ef' },
  };
  expect(
    (await check(await bundleWith('person', [], `\ufeff${JSON.stringify(archive)}`))).source.archive,
  ).toEqual(archive);
});

test('highlights are records of the bundle, by uuid or address, each once', async () => {
  const highlighting = (highlights: unknown) =>
    bundleWith('person', [], JSON.stringify({ title: { nl: 'P', en: 'P' }, highlights }));
  const [person, event] = [uuidOf('person', 1000), uuidOf('event', 1000)];
  const { source } = await check(
    await highlighting([person, `https://archive.test/en/gebeurtenissen/${event}/`]),
  );
  expect(source.archive?.highlights).toEqual([person, event]);
  expect(await refusal(await highlighting([person, uuidOf('person', 7), person]))).toEqual([
    `archive.json: highlights.1: refers to the record ${uuidOf('person', 7)}, which is not in the bundle`,
    `archive.json: highlights.2: names the record ${person} again; expected it once`,
  ]);
  expect(await refusal(await highlighting(Array.from({ length: 13 }, () => person)))).toContain(
    'archive.json: highlights: expected at most 12 records',
  );
  expect(await refusal(await highlighting(['Anna']))).toEqual([
    'archive.json: highlights.0: expected a reference: a uuid, an API URL that ends in one, or a record with a uuid; got "Anna"',
  ]);
});

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const START = line('person', 1).slice(0, -1);

test('deep nesting is a fault of its line; derived fields have no limit', async () => {
  const deep = [`${START},"pictures":[${nested(20_000)}],"more":${nested(20_000)}}`];
  expect(await refusal(await bundleWith('person', deep))).toEqual([
    'persons.jsonl:2: pictures[0]: is nested deeper than 100 levels',
    'persons.jsonl:2: more: is not a field of a person',
  ]);
  expect(await refusal(await bundleWith('person', [nested(20_000)]))).toEqual([
    'persons.jsonl:2: expected a JSON object with the fields of a person',
  ]);
  const valid = [`${START},"pictures":[${nested(100)}],"content":${nested(20_000)}}`];
  expect((await check(await bundleWith('person', valid))).records.counts.person).toBe(2);
});

test('messages escape control characters and shorten long values', async () => {
  const lines = [
    line('person', 2, { subjects: ['\u009b31m\u202e'] }),
    '{"id":3,"uuid":"\u001b]0;title\u0007"}',
    line('person', 4, { subjects: ['x'.repeat(100_000)] }),
  ];
  const said = await refusal(await bundleWith('person', lines));
  expect(said).toHaveLength(3);
  expect(said.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(said[0]).toMatch(/; got "\\u009b31m\\u202e"$/);
  expect(said[2]?.length).toBeLessThan(600);
});
