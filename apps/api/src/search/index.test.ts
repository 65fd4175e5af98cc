import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexedRecord } from './build/record-values.ts';
import { buildSearchIndex } from './build/write-index.ts';
import { SearchIndexFormatError } from './file/index-file.ts';
import { parseQuery } from './index.ts';
import { openSearchIndex } from './thread/open-index.ts';
import type { SearchIndex } from './thread/search-index.ts';

type Fields = Record<string, unknown>;

const person = (last_name: string, more: Fields = {}): Fields => ({
  last_name,
  title_nl: last_name,
  title_en: null,
  ...more,
});
const place = (city: string, more: Fields = {}): Fields => ({ name_nl: city, name_en: '', city, ...more });

const ARCHIVE: Record<Kind, Fields[]> = {
  person: [
    person('Devriesere', { id: 10, uuid: '0b6f5a4e-0000-4000-8000-000000000001', birth_date: '1620-02-29' }),
    person('de Vries - Jansen', { id: 11, birth_date: '1650-12-31', gender: 'female' }),
    person('Vries', { id: 12, birth_date: '1651-01-01', birth_place: 'Delft' }),
    person('de Vries', {
      id: 13,
      birth_date: null,
      content_nl: '<p>Woonde <em>lang</em> te <b>Del</b>ft.</p>',
    }),
    person('Friesema', {
      id: 14,
      title_en: 'Frisian',
      content_en: '<p>A painter &amp; etcher of Delft.</p>',
    }),
    person('100%_Piet*', { id: 110, summary_nl: 'Schilder te Leiden. Delft Delft Delft.' }),
    person('Ruysch', { id: 120, birth_date: '0900-01-01' }),
  ],
  subject: [{ id: 1, name_nl: 'Schilderkunst', name_en: 'Painting', description_nl: '<p>Kunst</p>' }],
  location: [
    place('Den Haag', { street: 'Lange Voorhout 1', land: 'Nederland' }),
    place('Haagambacht'),
    place('Delft', { name_en: 'Delft' }),
    place('Delftshaven'),
  ],
  event: [
    {
      id: 1,
      main_image: {
        id: 1,
        title: 'Prent &amp; kaart',
        alt: 'Rijksmuseum',
        description: '<p>Gravure</p>',
        author: '',
      },
      files: [{ id: 2, title: 'Ooggetuige' }],
      name_nl: 'Brand te Delft',
      name_en: 'Fire in Delft',
      date: '1536-05-03',
    },
    { id: 2, name_nl: 'Gouden bruiloft', content_nl: '<p>eeuw gouden</p>', date_start: '1600-01-01' },
    { id: 3, name_nl: 'Tentoonstelling', content_nl: '<p>De Gouden Eeuw, en later de gouden\neeuw.</p>' },
  ],
};

async function* archive(): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) yield* ranked(kind, ARCHIVE[kind]);
}

/** Records of a kind with an id and a uuid, in order. */
async function* ranked(kind: Kind, records: Iterable<Fields>): AsyncGenerator<IndexedRecord> {
  let id = 1_000;
  for (const record of records) {
    id += 1;
    yield { kind, record: { id, uuid: `${kind} ${id}`, ...record } };
  }
}

let folder: string;
let index: SearchIndex;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-search-'));
  await buildSearchIndex(join(folder, 'index.sqlite'), archive());
  index = await openSearchIndex(join(folder, 'index.sqlite'));
});

afterAll(async () => {
  await index.close();
  await rm(folder, { recursive: true });
});

describe('search', () => {
  it('returns the same hits in pages as at once', async () => {
    const query = parseQuery('delft');
    const all = await index.search(query, 0, 100);
    const walked = [];
    for (let offset = 0; offset < all.count; offset += 2) {
      const { count, hits } = await index.search(query, offset, 2);
      expect(count).toBe(all.count);
      walked.push(...hits);
    }
    expect(walked).toEqual(all.hits);
    expect(await index.search(query, 100, 10)).toEqual({ count: all.count, hits: [] });
  });
});

describe('search for a word that most records have', () => {
  const RECORDS = 40_500;
  const NAMED = 40_000;

  it('finds all of them, matching names first', async () => {
    const file = join(folder, 'common.sqlite');
    const records = Array.from({ length: RECORDS }, (_, row) => ({
      content_nl: 'alom',
      title_nl: row + 1 === NAMED ? 'Alom' : '',
    }));
    await buildSearchIndex(file, ranked('person', records));
    const common = await openSearchIndex(file);
    const query = parseQuery('alom');
    expect(await common.search(query, 0, 2)).toEqual({
      count: RECORDS,
      hits: [
        { kind: 'person', position: NAMED, score: 3.25 },
        { kind: 'person', position: 1, score: 0.25 },
      ],
    });
    const last = await common.search(query, RECORDS - 1, 10);
    expect(last.hits).toEqual([{ kind: 'person', position: RECORDS, score: 0.25 }]);
    await common.close();
  });
});

it('ranks the name nearest to a word that is in no name, if that is in more records', async () => {
  const file = join(folder, 'near.sqlite');
  const texts = [
    'Rembrant schilderde',
    'Rembrandt, ook Rembrant',
    'Rembrandt',
    'Rembrandt',
    'molen',
    'molens',
  ];
  const titles = ['', 'Rembrandt van Rijn', '', '', 'molensteen', 'Molene'];
  const records = texts.map((text, row) => ({ content_nl: text, title_nl: titles[row] }));
  await buildSearchIndex(file, ranked('person', records));
  const near = await openSearchIndex(file);
  const positions = async (q: string) =>
    (await near.search(parseQuery(q), 0, 10)).hits.map(({ position }) => position);
  expect(await positions('rembrant')).toEqual([2, 1]);
  expect(await positions('molens')).toEqual([6]);
  const words = ['rembrandd', 'rmbrandt', 'ermbrandt', 'rembrand', 'xembrandt', 'rembrandt', 'rem', 'zzzz'];
  expect(await near.nearest(words.map((word) => ({ word })))).toEqual([
    ...Array(5).fill('rembrandt'),
    undefined,
    undefined,
    undefined,
  ]);
  expect(await near.nearest([{ word: 'molenn', column: 'name' }])).toEqual(['molene']);
  await near.close();
});

describe('suggest', () => {
  it('suggests each record once, in the language of the request, with its kind, and of one kind only', async () => {
    const ask = (kind?: Kind) => index.suggest({ language: 'en', kind }, 'delf', 10);
    expect(await ask('event')).toMatchObject([{ value: 'Fire in Delft', count: 1, kind: 'event' }]);
    expect((await ask('location')).map(({ kind }) => kind)).toEqual(['location', 'location']);
    expect(await ask('person')).toEqual([]);
  });
});

describe('buildSearchIndex', () => {
  it('builds an index of an empty archive', async () => {
    const file = join(folder, 'empty.sqlite');
    await buildSearchIndex(file, ranked('person', []));
    const empty = await openSearchIndex(file);
    for (const q of ['delft', 'name:delft', 'kind:person', 'birth_date:1620..']) {
      expect(await empty.search(parseQuery(q), 0, 10)).toEqual({ count: 0, hits: [] });
    }
    await empty.close();
  });

  it('keeps the earlier index and leaves no temporary file if the records fail', async () => {
    const file = join(folder, 'index.sqlite');
    const before = await readdir(folder);
    const failing = async function* () {
      yield* ranked('person', ARCHIVE.person);
      throw new Error('the database went away');
    };
    await expect(buildSearchIndex(file, failing())).rejects.toThrow('the database went away');
    expect(await readdir(folder)).toEqual(before);
  });

  it('stops on an abort', async () => {
    const before = await readdir(folder);
    const building = buildSearchIndex(join(folder, 'stopped.sqlite'), archive(), AbortSignal.abort('enough'));
    await expect(building).rejects.toBe('enough');
    expect(await readdir(folder)).toEqual(before);
  });

  it('rejects two records of a kind with the same id', async () => {
    const records = ranked('person', [{ id: 1 }, { id: 1 }]);
    await expect(buildSearchIndex(join(folder, 'twice.sqlite'), records)).rejects.toThrow('UNIQUE');
  });
});

describe('openSearchIndex', () => {
  it('rejects a missing file', async () => {
    const missing = openSearchIndex(join(folder, 'missing.sqlite'));
    await expect(missing).rejects.toThrow(SearchIndexFormatError);
  });

  it('rejects a file that is not a database', async () => {
    const file = join(folder, 'text.sqlite');
    await writeFile(file, 'not a database, but a text that is long enough to be read as one'.repeat(20));
    await expect(openSearchIndex(file)).rejects.toThrow(SearchIndexFormatError);
  });

  it('rejects an index of another format', async () => {
    const file = join(folder, 'old.sqlite');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 999');
    database.close();
    await expect(openSearchIndex(file)).rejects.toThrow('got format 999');
  });

  it('completes pending queries before it closes', async () => {
    const other = await openSearchIndex(join(folder, 'index.sqlite'));
    const answers = Promise.all([1, 2, 3].map(() => other.search(parseQuery('delft'), 0, 1)));
    await other.close();
    await expect(other.search(parseQuery('delft'), 0, 1)).rejects.toThrow('the index is closed');
    expect((await answers).map(({ count }) => count)).toEqual([6, 6, 6]);
  });
});
