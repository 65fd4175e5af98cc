import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../testing/random.ts';
import { randomQuery } from '../../../testing/random-query.ts';
import { arbitraryRecords } from '../../../testing/records.ts';
import { IndexUpdateError } from '../file/index-file.ts';
import { endsBetween, FACETS, parseQuery, QueryError } from '../index.ts';
import { openSearchIndex } from '../thread/open-index.ts';
import type { IndexedRecord } from './record-values.ts';
import { buildSearchIndex, updateSearchIndex } from './write-index.ts';

type Fields = Record<string, unknown> & { id: number; uuid: string };
type Archive = Record<Kind, Fields[]>;

const random = createRandom(27);

const WORDS = 'jan de vries Delft DELFT haag gouden eeuw Ĳssel ijssel 😀 日本 a'.split(' ');

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' '));

/** Fields of a record, which may refer to those of an archive and to one that does not exist. */
function make(kind: Kind, archive: Archive): object {
  const uuids = (of: Kind) => [...archive[of].slice(-20).map(({ uuid }) => uuid), random.uuid()];
  const material = {
    person: uuids('person'),
    subject: uuids('subject'),
    location: uuids('location'),
    event: uuids('event'),
  };
  const records = arbitraryRecords({ text, uuids: material })[kind];
  const [fields] = fc.sample(records, { numRuns: 1, seed: random.below(2 ** 31) });
  const parent = archive.subject[random.below(2 * archive.subject.length)]?.id ?? null;
  return { ...fields, ...(kind === 'subject' && { parent }) };
}

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
      const record = { id, uuid: random.uuid(), ...make(kind, next) };
      next[kind] = [...list, record].sort((a, b) => a.id - b.id);
    } else if (roll < additions + 0.2) next[kind] = list.toSpliced(at, 1);
    else {
      const { id, uuid } = list[at] ?? { id: 0, uuid: '' };
      next[kind] = list.with(at, { id, uuid, ...make(kind, next) });
    }
  }
  return next;
}

/** The records of an archive that another one does not have, or not the same. */
async function* recordsOf(archive: Archive, other: Archive = EMPTY): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    const same = new Set(other[kind]);
    for (const record of archive[kind]) if (!same.has(record)) yield { kind, record };
  }
}

const EMPTY: Archive = { person: [], subject: [], location: [], event: [] };

async function update(file: string, base: string, before: Archive, after: Archive): Promise<void> {
  const changes = { earlier: recordsOf(before, after), records: recordsOf(after, before) };
  await updateSearchIndex(file, base, changes);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-update-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('an updated index gives the answers of a built one, 31 times in a row', {
  timeout: 120_000,
}, async () => {
  let archive = changed(EMPTY, 300, 1);
  let base = join(folder, 'base.sqlite');
  const built = join(folder, 'built.sqlite');
  await buildSearchIndex(base, recordsOf(archive));
  for (let round = 1; round <= 31; round++) {
    const next = changed(archive, random.pick([0, 1, 3, 20]));
    const updated = join(folder, `${round}.sqlite`);
    await update(updated, base, archive, next);
    base = updated;
    archive = next;
    if (round % 10 !== 1) continue;
    await buildSearchIndex(built, recordsOf(archive));
    expect(await answersOf(updated, archive, createRandom(round))).toEqual(
      await answersOf(built, archive, createRandom(round)),
    );
  }
  using database = new DatabaseSync(base, { defensive: false });
  database.exec("INSERT INTO text (text) VALUES ('integrity-check')");
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

async function answersOf(file: string, archive: Archive, random: Random): Promise<unknown[]> {
  const index = await openSearchIndex(file);
  const answers: unknown[] = [];
  for (let query = 0; query < 60; query++) {
    const q = random.number() < 0.5 ? randomQuery(random) : `${random.pick(WORDS)} ${random.pick(WORDS)}`;
    try {
      const parsed = { ...parseQuery(q), ...(random.below(3) === 0 && { order: 'name_nl' as const }) };
      answers.push(q, await index.search(parsed, 0, 1000), await index.facets(parsed, FACETS, 'en', 50));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
    answers.push(await index.suggest({ language: 'nl' }, random.pick(WORDS).toLowerCase(), 10));
  }
  answers.push(
    await index.look((graph) =>
      archive.event.map((_, row) => [
        graph.related(endsBetween('person', 'event'), row + 1),
        graph.card('event', row + 1),
      ]),
    ),
  );
  await index.close();
  return answers;
}

test('a record that takes the highest slot of a removed one does not take its references', async () => {
  const [person, other, place] = [random.uuid(), random.uuid(), random.uuid()];
  const event = { id: 1, uuid: random.uuid(), persons: [person, other], location: place };
  const before: Archive = {
    ...EMPTY,
    location: [{ id: 1, uuid: place }],
    event: [event],
    person: [{ id: 1, uuid: person }],
  };
  const [base, removed, added] = ['slots', 'slots-removed', 'slots-added'].map((name) => join(folder, name));
  await buildSearchIndex(String(base), recordsOf(before));
  const without = { ...before, event: [] };
  await update(String(removed), String(base), before, without);
  const after = { ...without, subject: [{ id: 1, uuid: random.uuid(), name_nl: 'Kunst' }] };
  await update(String(added), String(removed), without, after);
  const index = await openSearchIndex(String(added));
  expect((await index.search(parseQuery(`person:${person}`), 0, 9)).hits).toEqual([]);
  expect((await index.search(parseQuery('kunst'), 0, 9)).hits).toMatchObject([
    { kind: 'subject', position: 1 },
  ]);
  await index.close();
});

test('no word of removed and earlier records is left in the file', async () => {
  const SECRETS = 20;
  const before = changed(EMPTY, 300, 1);
  const secrets = Array.from({ length: 2 * SECRETS }, () => `q${random.uuid().replaceAll('-', '')}`);
  for (let row = 0; row < SECRETS; row++) {
    const [first, second] = [secrets[2 * row], secrets[2 * row + 1]];
    const record = { id: 200_000 + row, uuid: random.uuid(), last_name: first, content_nl: `de ${second}` };
    before.person.push(record);
  }
  // Half of them are changed, the others removed.
  const person = before.person.flatMap((record) =>
    record.id < 200_000
      ? record
      : record.id % 2
        ? { id: record.id, uuid: record.uuid, last_name: 'Vos' }
        : [],
  );
  const [base, updated] = [join(folder, 'secret-base.sqlite'), join(folder, 'secret-updated.sqlite')];
  await buildSearchIndex(base, recordsOf(before));
  await update(updated, base, before, { ...before, person });
  const found = async (file: string) => {
    const bytes = await readFile(file);
    // A word is stored without the letters that it shares with the word before.
    return secrets.filter((word) => bytes.includes(word.slice(-16))).length;
  };
  expect([await found(base), await found(updated)]).toEqual([2 * SECRETS, 0]);
});

describe('an index is not updated', () => {
  const before = changed(EMPTY, 100, 1);
  const whole = () => join(folder, 'whole.sqlite');
  const file = () => join(folder, 'not-updated.sqlite');
  beforeAll(() => buildSearchIndex(whole(), recordsOf(before)));
  const leftovers = async () => (await readdir(folder)).filter((name) => name.startsWith('not-updated'));

  test('if it has other words of an earlier record, or not the record', async () => {
    const [first] = before.person;
    const other = {
      ...before,
      person: before.person.with(0, { ...first, id: 1, uuid: first?.uuid ?? '', last_name: 'Anders' }),
    };
    await expect(update(file(), whole(), other, before)).rejects.toThrow(IndexUpdateError);
    const more = { ...before, person: [...before.person, { id: 200_000, uuid: random.uuid() }] };
    await expect(update(file(), whole(), more, before)).rejects.toThrow(IndexUpdateError);
    await expect(update(file(), whole(), before, more)).resolves.toBeUndefined();
    await expect(update(file(), whole(), EMPTY, before)).rejects.toThrow(IndexUpdateError);
  });

  test('if it is missing, damaged, of another format or no index', async () => {
    const base = join(folder, 'damaged.sqlite');
    await rm(file(), { force: true });
    await expect(update(file(), base, before, before)).rejects.toThrow(IndexUpdateError);
    const bytes = await readFile(whole());
    await writeFile(base, bytes.fill(7, 8192, 60_000));
    await expect(update(file(), base, before, changed(before, 9))).rejects.toThrow(IndexUpdateError);
    await writeFile(base, 'no index');
    await expect(update(file(), base, before, before)).rejects.toThrow(IndexUpdateError);
    await rm(base);
    using database = new DatabaseSync(base);
    database.exec('PRAGMA user_version = 14');
    await expect(update(file(), base, before, before)).rejects.toThrow(IndexUpdateError);
    expect(await leftovers()).toEqual([]);
  });

  test('if the records cannot be read', async () => {
    const failing = async function* () {
      yield* recordsOf(EMPTY);
      throw new Error('the database went away');
    };
    const changes = { earlier: recordsOf(EMPTY), records: failing() };
    await expect(updateSearchIndex(file(), whole(), changes)).rejects.toThrow('the database went away');
    expect(await leftovers()).toEqual([]);
  });
});
