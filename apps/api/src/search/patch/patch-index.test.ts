import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../testing/random.ts';
import { randomQuery } from '../../../testing/random-query.ts';
import { readDocNumbers } from '../file/index-file.ts';
import { PlaceList } from '../file/place-list.ts';
import { bytesOf } from '../file/postings.ts';
import {
  buildSearchIndex,
  FACETS,
  type IndexChanges,
  type IndexedRecord,
  isPatchable,
  isWorthPatching,
  type KindDifferences,
  openSearchIndex,
  parseQuery,
  patchSearchIndex,
  QueryError,
  UnpatchableError,
} from '../index.ts';

type Fields = Record<string, unknown> & { id: number; uuid: string };
type Archive = Record<Kind, Fields[]>;

const random = createRandom(27);

const WORDS = [
  'jan',
  'de',
  'vries',
  'Delft',
  'DELFT',
  'haag',
  'gouden',
  'eeuw',
  'Ĳssel',
  'ijssel',
  '😀',
  '日本',
  'a',
];

function words(most: number): string {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(WORDS)).join(' ');
}

function day(): string {
  return random.number() < 0.3
    ? ''
    : `1${5 + random.below(4)}${10 + random.below(90)}-0${1 + random.below(9)}-11`;
}

/** Some uuids of a kind, one of which may not exist. */
function some(archive: Archive, kind: Kind): string[] {
  const all = [...archive[kind].map(({ uuid }) => uuid), random.uuid()];
  return Array.from(
    { length: random.below(4) },
    () => `https://archive.example/nl/api/${kind}s/${random.pick(all)}`,
  );
}

const MAKE: Record<Kind, (archive: Archive) => Record<string, unknown>> = {
  person: (archive) => ({
    last_name: words(2),
    first_name: words(1),
    title_nl: words(3),
    title_en: random.number() < 0.5 ? null : words(2),
    gender: random.pick(['male', 'female', '']),
    birth_date: day(),
    death_date: day(),
    content_nl: `<p>${words(20)}<em>${words(2)}</em></p>`,
    subjects: some(archive, 'subject'),
  }),
  subject: (archive) => ({
    name_nl: words(2),
    name_en: words(2),
    description_nl: words(9),
    parent: archive.subject[random.below(2 * archive.subject.length)]?.id ?? null,
  }),
  location: (archive) => ({
    name_nl: words(2),
    name_en: '',
    city: random.pick(['Delft', 'DELFT', 'delft ', 'Den Haag', '']),
    latitude: random.number() < 0.3 ? null : 50 + random.number(),
    longitude: 4 + random.number(),
    subjects: some(archive, 'subject'),
    related_locations: some(archive, 'location'),
  }),
  event: (archive) => ({
    name_nl: words(3),
    date: day(),
    summary_nl: words(6),
    persons: some(archive, 'person'),
    location: some(archive, 'location')[0] ?? null,
    subjects: some(archive, 'subject'),
  }),
};

/** An archive after some additions, changes and removals. @param additions the share of additions */
function changed(archive: Archive, changes: number, additions = 0.3): Archive {
  const next: Archive = { ...archive };
  for (let change = 0; change < changes; change++) {
    const kind = random.pick(KINDS);
    const list = next[kind];
    const at = random.below(list.length);
    const roll = random.number();
    if (roll < additions || list.length < 3) {
      const id = random.number() < 0.5 ? 1 + (list.at(-1)?.id ?? 0) : random.below(100_000);
      if (list.some((other) => other.id === id)) continue;
      const record = { id, uuid: random.uuid(), ...MAKE[kind](next) };
      next[kind] = [...list, record].sort((a, b) => a.id - b.id);
    } else if (roll < additions + 0.2) next[kind] = list.toSpliced(at, 1);
    else {
      const { id, uuid } = list[at] ?? { id: 0, uuid: '' };
      next[kind] = list.with(at, { id, uuid, ...MAKE[kind](next) });
    }
  }
  return next;
}

/** References to records that do not exist have no effect until the record that has them changes. */
function differences(kind: Kind, before: Archive, after: Archive): KindDifferences {
  const earlier = new Map(before[kind].map((record, at) => [record.uuid, { record, position: at + 1 }]));
  const now = new Set(after[kind].map(({ uuid }) => uuid));
  const of = after[kind].map((record, at) => ({ record, position: at + 1, was: earlier.get(record.uuid) }));
  return {
    added: of.filter(({ was }) => !was).map(({ position }) => position),
    changed: of.flatMap(({ record, position, was }) =>
      was && was.record !== record ? { position, earlier: was.position } : [],
    ),
    removed: [...earlier.values()]
      .filter(({ record }) => !now.has(record.uuid))
      .map(({ position }) => position),
  };
}

function changesOf(before: Archive, after: Archive): IndexChanges {
  const counts = { person: 0, subject: 0, location: 0, event: 0 };
  for (const kind of KINDS) counts[kind] = after[kind].length;
  const of = (kind: Kind) => differences(kind, before, after);
  return {
    counts,
    different: { person: of('person'), subject: of('subject'), location: of('location'), event: of('event') },
  };
}

async function* recordsOf(
  archive: Archive,
  positionsOf?: (kind: Kind) => number[],
): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    const wanted = positionsOf && new Set(positionsOf(kind));
    for (const [at, record] of archive[kind].entries())
      if (!wanted || wanted.has(at + 1)) yield { kind, position: at + 1, record };
  }
}

async function patch(file: string, base: string, before: Archive, after: Archive): Promise<void> {
  const changes = changesOf(before, after);
  const { different } = changes;
  const now = recordsOf(after, (kind) => [
    ...different[kind].added,
    ...different[kind].changed.map(({ position }) => position),
  ]);
  await patchSearchIndex(file, base, changes, now);
}

/** All content of an index, by document number instead of rowid. */
function contentOf(file: string): Record<string, unknown> {
  using database = new DatabaseSync(file, { readOnly: true });
  const fields: Record<string, string> = {};
  for (const row of database
    .prepare('SELECT *, coalesce(shown, folded) AS read FROM field ORDER BY kind, name, block')
    .iterate()) {
    for (const [name, bytes] of [
      ['folded', row['folded']],
      ['shown', row['read']],
    ] as const) {
      const key = `${row['kind']}.${row['name']} ${name}`;
      fields[key] = (fields[key] ?? '') + Buffer.from(bytes as Uint8Array).toString('utf8');
    }
  }
  const arrays = database
    .prepare('SELECT name, hex(bytes) AS bytes FROM array WHERE name NOT IN (?, ?) ORDER BY name')
    .all('rowids', 'patches');
  const rowids = database.prepare("SELECT bytes FROM array WHERE name = 'rowids'").get()?.[
    'bytes'
  ] as Uint8Array;
  const docs = new Map(
    Array.from(new Uint32Array(new Uint8Array(rowids).buffer), (rowid, doc) => [rowid, doc]),
  );
  const byDoc = (rows: Record<string, unknown>[]) =>
    rows
      .map(({ rowid, ...row }) => ({ doc: docs.get(Number(rowid)), ...row }))
      .sort((a, b) => (a.doc ?? -1) - (b.doc ?? -1));
  return {
    fields,
    arrays,
    counts: readDocNumbers(database).spans,
    cards: byDoc(database.prepare('SELECT rowid, fields FROM card').all()),
    words: wordsIn(database, docs),
  };
}

/** The words of all records, and how often and where they have them; pairs of words depend on the chunk. */
function wordsIn(database: DatabaseSync, docs: ReadonlyMap<number, number>): unknown[] {
  const rows = database
    .prepare("SELECT * FROM posting JOIN chunk ON number = chunk WHERE word NOT LIKE ' %'")
    .all();
  const words = rows.flatMap(({ word, count, first, records, counts, places }) => {
    const list = new PlaceList().read({
      records: bytesOf(records),
      counts: bytesOf(counts),
      places: bytesOf(places),
    });
    expect(list.length).toBe(count);
    return Array.from(list.records.subarray(0, list.length), (record, index) => {
      const [start, end] = [index === 0 ? 0 : list.ends[index - 1], list.ends[index]];
      const doc = docs.get(Number(first) + record);
      if (doc === undefined) throw new RangeError(`${word}: in record ${record}, which was removed`);
      const [at, columns] = [list.places.slice(start, end), list.columns.slice(start, end)];
      return { doc, word: String(word), places: [...at], columns: [...columns] };
    });
  });
  return words.sort((a, b) => a.doc - b.doc || (a.word < b.word ? -1 : 1));
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-patch-'));
});
afterAll(() => rm(folder, { recursive: true }));

const EMPTY: Archive = { person: [], subject: [], location: [], event: [] };

test('a patched index has the content of a built one, and gives the same answers', async () => {
  let archive = changed(EMPTY, 300, 1);
  let base = join(folder, 'base.sqlite');
  const built = join(folder, 'built.sqlite');
  await buildSearchIndex(base, recordsOf(archive));
  for (let round = 1; round <= 10; round++) {
    const next = changed(archive, random.pick([0, 1, 3, 20]));
    const patched = join(folder, `${round}.sqlite`);
    expect(isPatchable(base)).toBe(true);
    await patch(patched, base, archive, next);
    await buildSearchIndex(built, recordsOf(next));
    expect(contentOf(patched)).toEqual(contentOf(built));
    expect(await answersOf(patched, createRandom(round))).toEqual(
      await answersOf(built, createRandom(round)),
    );
    base = patched;
    archive = next;
  }
  expect(isPatchable(base)).toBe(false);
});

async function answersOf(file: string, random: Random): Promise<unknown[]> {
  const index = await openSearchIndex(file);
  const answers: unknown[] = [];
  for (let query = 0; query < 60; query++) {
    const q = random.number() < 0.5 ? randomQuery(random) : `${random.pick(WORDS)} ${random.pick(WORDS)}`;
    try {
      const parsed = parseQuery(q);
      answers.push(q, await index.search(parsed, 0, 1000), await index.facets(parsed, FACETS, 'en', 50));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
    answers.push(await index.suggest({ language: 'nl' }, random.pick(WORDS).toLowerCase(), 10));
  }
  await index.close();
  return answers;
}

test('nothing of removed and earlier values is left in the file', async () => {
  const before = changed(EMPTY, 300, 1);
  const gone = {
    ...MAKE.person(before),
    last_name: 'Q7zeppelin',
    summary_nl: 'Q7ballon',
    content_nl: 'q7vlieger',
  };
  before.person[3] = { id: before.person[3]?.id ?? 0, uuid: random.uuid(), ...gone };
  before.person[5] = { id: before.person[5]?.id ?? 0, uuid: random.uuid(), ...gone };
  const { id = 0, uuid = '' } = before.person[5] ?? {};
  const person = before.person.with(5, { id, uuid, ...MAKE.person(before) }).toSpliced(3, 1);
  const base = join(folder, 'gone-base.sqlite');
  const patched = join(folder, 'gone-patched.sqlite');
  await buildSearchIndex(base, recordsOf(before));
  await patch(patched, base, before, { ...before, person });
  // Words are stored without the letters that they share with the word before.
  for (const word of ['eppelin', 'allon', 'lieger']) {
    expect((await readFile(base)).toString('latin1')).toContain(word);
    expect((await readFile(patched)).toString('latin1')).not.toContain(word);
  }
});

describe('an index is not patched', () => {
  const before = changed(EMPTY, 100, 1);
  const file = () => join(folder, 'not-patched.sqlite');
  beforeAll(() => buildSearchIndex(join(folder, 'whole.sqlite'), recordsOf(before)));
  const patchWhole = (after: Archive) => patch(file(), join(folder, 'whole.sqlite'), before, after);
  const leftovers = async () => (await readdir(folder)).filter((name) => name.startsWith('not-patched'));

  test('if records are in another order', async () => {
    const [first, ...others] = before.person;
    const person = [...others, { ...first, id: 200_000, uuid: first?.uuid ?? '' }];
    await expect(patchWhole({ ...before, person })).rejects.toThrow(UnpatchableError);
    expect(await leftovers()).toEqual([]);
  });

  test('if the earlier edition is read while it is being deleted', async () => {
    const counts = { person: before.person.length, subject: 0, location: 0, event: 0 };
    const nothing = { added: [], changed: [], removed: [] };
    const different = {
      person: { ...nothing, added: [1] },
      subject: nothing,
      location: nothing,
      event: nothing,
    };
    const records = recordsOf(EMPTY);
    const patching = patchSearchIndex(file(), join(folder, 'whole.sqlite'), { counts, different }, records);
    await expect(patching).rejects.toThrow(UnpatchableError);
    expect(await leftovers()).toEqual([]);
  });

  test('if it is missing or damaged', async () => {
    const base = join(folder, 'damaged.sqlite');
    expect(isPatchable(base)).toBe(false);
    await expect(patch(file(), base, before, before)).rejects.toThrow(UnpatchableError);
    const bytes = await readFile(join(folder, 'whole.sqlite'));
    await writeFile(base, bytes.fill(7, 8192, 40_000));
    await expect(patch(file(), base, before, changed(before, 9))).rejects.toThrow(UnpatchableError);
    await writeFile(base, 'no index');
    expect(isPatchable(base)).toBe(false);
    expect(await leftovers()).toEqual([]);
  });

  test('if more than a fifth of the records changed', () => {
    const { counts, different } = changesOf(before, before);
    const removed = (length: number) => ({
      ...different.person,
      removed: Array.from({ length }, (_, at) => at + 1),
    });
    const fifth = Math.floor(Object.values(counts).reduce((sum, count) => sum + count) / 5);
    expect(isWorthPatching({ counts, different: { ...different, person: removed(fifth) } })).toBe(true);
    expect(isWorthPatching({ counts, different: { ...different, person: removed(fifth + 1) } })).toBe(false);
  });
});
