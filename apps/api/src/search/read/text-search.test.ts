import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../../testing/random.ts';
import { buildSearchIndex } from '../build/build-index.ts';
import { type IndexedRecord, recordText } from '../build/record-values.ts';
import { openIndexFile, TEXT_COLUMNS } from '../file/index-file.ts';
import { patchSearchIndex } from '../patch/patch-index.ts';
import { parseQuery } from '../query/parse-query.ts';
import { IndexReader } from './index-reader.ts';

/** More words than a chunk has: pairs of words have postings in the first one. */
const RECORDS = 1_500;
const WORDS = [
  'de',
  'het',
  'van',
  'stad',
  'schilder',
  'schip',
  'schipper',
  'rembrandt',
  'jan',
  'jansen',
  '1642',
];
/** Among others, enough words of one start that it has a posting. */
const RARE = [
  'leeuwarden',
  'scheveningen',
  'schede',
  'schelp',
  'scherm',
  'schets',
  'schild',
  'school',
  'zus',
];
/** Words of one start that are in no record of a patched index. */
const GONE = ['quaad', 'quade', 'quaet', 'quak', 'quant', 'quarto', 'quast', 'quatrijn'].join(' ');

const random = createRandom(11);
const textOf = (most: number) =>
  Array.from({ length: random.below(most) }, () => random.pick(random.below(500) === 0 ? RARE : WORDS)).join(
    ' ',
  );

const person = (row: number, more = ''): IndexedRecord => ({
  kind: 'person',
  position: row + 1,
  record: {
    id: row + 1,
    uuid: `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`,
    title_nl: textOf(4),
    title_en: textOf(3),
    last_name: textOf(2),
    summary_nl: textOf(8),
    content_nl: `<p>${textOf(2_800)}</p><p>${textOf(10)} ${more}</p>`,
    content_en: `<p>${textOf(20)}</p>`,
    birth_place: textOf(2),
  },
});
const records = Array.from({ length: RECORDS }, (_, row) => person(row));
const isChanged = (row: number) => row % 20 === 3;

async function* each(all: readonly IndexedRecord[]) {
  yield* all;
}

/** Builds an index of the records. */
async function build(file: string): Promise<void> {
  await buildSearchIndex(file, each(records));
}

/** Patches an index of which some records were others, and that had more. */
async function patch(file: string): Promise<void> {
  const base = `${file}-base`;
  const before = records.map((record, row) => (isChanged(row) ? person(row, GONE) : record));
  const more = Array.from({ length: 100 }, (_, row) => person(RECORDS + row));
  await buildSearchIndex(base, each([...before, ...more]));
  expect(storedStarts(base)).toEqual(['qua', 'sch']);
  const same = { added: [], changed: [], removed: [] };
  const changed = records.filter((_, row) => isChanged(row));
  const changes = {
    counts: { person: RECORDS, subject: 0, location: 0, event: 0 },
    different: {
      person: {
        added: [],
        changed: changed.map(({ position }) => ({ position, earlier: position })),
        removed: more.map(({ position }) => position),
      },
      subject: same,
      location: same,
      event: same,
    },
  };
  await patchSearchIndex(file, base, changes, each(changed));
}

let folder: string;
/** The indexes, each made once. */
let files: { built: string; patched: string };
/** The same texts in a table of SQLite, whose relevance is the same. */
let table: DatabaseSync;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-text-'));
  files = { built: join(folder, 'built'), patched: join(folder, 'patched') };
  await build(files.built);
  await patch(files.patched);
  table = new DatabaseSync(':memory:');
  const names = TEXT_COLUMNS.map(({ name }) => name);
  table.exec(`CREATE VIRTUAL TABLE text USING fts5 (${names.join(', ')}, content = '', tokenize = 'ascii')`);
  const insert = table.prepare(
    `INSERT INTO text (rowid, ${names.join(', ')}) VALUES (?, ${names.map(() => '?').join(', ')})`,
  );
  for (const { kind, position, record } of records) {
    const text = recordText(kind, record);
    insert.run(position, ...names.map((name) => text[name]));
  }
});
afterAll(async () => {
  table.close();
  await rm(folder, { recursive: true });
});

const weights = TEXT_COLUMNS.map(({ weight }) => weight).join(', ');
const FIELDS = { '': '', content: '{body footnotes} : ', summary: 'summary : ' };

/** The scores of the records that FTS5 finds, by position. */
function expected(phrases: readonly string[], field: keyof typeof FIELDS): Map<number, number> {
  const quoted = phrases.map((phrase) =>
    phrase.endsWith('*') ? `"${phrase.slice(0, -1)}" *` : `"${phrase}"`,
  );
  const rows = table
    .prepare(`SELECT rowid, -bm25(text, ${weights}) AS relevance FROM text WHERE text MATCH ?`)
    .all(`${FIELDS[field]}(${quoted.join(' AND ')})`);
  const best = Math.max(...rows.map(({ relevance }) => Number(relevance)));
  return new Map(
    rows.map(({ rowid, relevance }) => [
      Number(rowid),
      Math.max(1, Math.round((Number(relevance) / best) * 10_000)) / 10_000,
    ]),
  );
}

/** The words whose pairs an index has. */
function commonWords(file: string): string[] {
  using database = openIndexFile(file);
  const rows = database.prepare('SELECT DISTINCT word FROM common ORDER BY word').all();
  return rows.map(({ word }) => String(word));
}

/** The starts of words that have a posting. */
function storedStarts(file: string): string[] {
  using database = openIndexFile(file);
  const rows = database.prepare('SELECT DISTINCT letters FROM start ORDER BY letters').all();
  return rows.map(({ letters }) => String(letters));
}

test.each(['built', 'patched'] as const)(
  'a %s index finds and scores words, phrases and word starts as FTS5 of SQLite does',
  async (name) => {
    const file = files[name];
    expect(commonWords(file)).toEqual(WORDS.toSorted());
    expect(storedStarts(file)).toEqual(['sch']);
    const index = new IndexReader(file, 2 ** 20);
    onTestFinished(() => index.close());
    let hits = 0;
    for (let query = 0; query < 100; query++) {
      const phrases = Array.from({ length: 1 + random.below(3) }, () => {
        const words = Array.from({ length: 1 + random.below(random.pick([1, 3])) }, () =>
          random.pick(random.below(5) === 0 ? RARE : WORDS),
        );
        const last = words.pop() ?? '';
        words.push(random.below(4) === 0 ? `${last.slice(0, 3)}*` : last);
        return words.join(' ');
      });
      const field = random.pick(['', '', 'content', 'summary'] as const);
      const clause = field
        ? ({ type: 'words', field, phrases } as const)
        : ({ type: 'text', phrases, typed: '' } as const);
      const found = index.search({ clauses: [clause], excluded: [] }, 0, RECORDS);
      const scores = new Map(found.hits.map(({ position, score }) => [position, score]));
      const wanted = expected(phrases, field);
      hits += wanted.size;
      expect([...scores.keys()].sort(), phrases.join(' + ')).toEqual([...wanted.keys()].sort());
      for (const [position, score] of wanted)
        expect(scores.get(position), `${phrases.join(' + ')}: ${position}`).toBe(score);
    }
    expect(hits).toBeGreaterThan(4_000);
  },
);

test.each(['built', 'patched'] as const)(
  'a %s index has the scores of names with the start of a word',
  async (name) => {
    const [file, without] = [files[name], join(folder, `${name} without starts`)];
    await copyFile(file, without);
    using database = new DatabaseSync(without);
    database.exec('DELETE FROM start');
    const find = (path: string) => {
      const index = new IndexReader(path, 2 ** 20);
      onTestFinished(() => index.close());
      return index.search(parseQuery('sch*'), 0, RECORDS);
    };
    const { count, hits } = find(file);
    expect({ count, hits }).toEqual(find(without));
    expect(new Set(hits.map(({ score }) => score)).size).toBeGreaterThan(20);
  },
);

test('the pages and counts of many hits are those of all of them', async () => {
  const index = new IndexReader(files.built, 2 ** 20);
  onTestFinished(() => index.close());
  for (const query of [parseQuery('schip'), { ...parseQuery('schip'), order: '-date' as const }]) {
    const counted = index.facets(query, ['kind'], 'nl', 1);
    const pages = Array.from({ length: RECORDS / 10 }, (_, page) => index.search(query, page * 10, 10));
    const { count, hits } = index.search(query, 0, RECORDS);
    expect(count).toBeGreaterThan(1_200);
    expect(hits).toHaveLength(count);
    expect(pages.flatMap((page) => page.hits)).toEqual(hits);
    expect(pages.every((page) => page.count === count)).toBe(true);
    expect(counted).toEqual({ count, facets: [{ facet: 'kind', values: [{ value: 'person', count }] }] });
  }
});
