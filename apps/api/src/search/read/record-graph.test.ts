import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../testing/random.ts';
import type { IndexedRecord } from '../build/record-values.ts';
import { buildSearchIndex } from '../build/write-index.ts';
import { endsBetween, type GraphOrder } from '../index.ts';
import { openSearchIndex } from '../thread/open-index.ts';
import type { SearchIndex } from '../thread/search-index.ts';

const RECORDS = 40;
const DIGITS: Readonly<Record<Kind, number>> = { person: 1, subject: 2, location: 3, event: 4 };
const uuidOf = (kind: Kind, position: number) =>
  `${DIGITS[kind]}0000000-0000-4000-8000-${String(position).padStart(12, '0')}`;

/** Records with random references, including duplicate and dangling ones. */
async function* records(): AsyncGenerator<IndexedRecord> {
  const random = createRandom(7);
  const some = (kind: Kind) =>
    Array.from({ length: random.below(4) }, () => uuidOf(kind, 1 + random.below(RECORDS + 3)));
  for (const kind of KINDS) {
    for (let position = 1; position <= RECORDS; position += 1) {
      const name = random.below(5) > 0 ? `naam ${random.below(20)}` : '';
      const record = {
        id: position,
        uuid: uuidOf(kind, position),
        title_nl: name,
        name_nl: name,
        name_en: random.below(2) > 0 ? `name ${random.below(20)}` : '',
        date: random.below(4) > 0 ? `16${10 + random.below(40)}-01-01` : null,
        date_start: random.below(2) > 0 ? `16${10 + random.below(60)}-01-01` : null,
        subjects: some('subject'),
        persons: some('person'),
        related_locations: some('location'),
        location: uuidOf('location', 1 + random.below(RECORDS)),
        parent: position > 5 ? 1 + random.below(position - 1) : null,
        content_nl: '<p>not on a card</p>',
      };
      yield { kind, record };
    }
  }
}

const FIELDS: readonly [hits: Kind, field: Kind | 'parent' | 'related', bound: Kind][] = [
  ['event', 'person', 'person'],
  ['subject', 'person', 'person'],
  ['person', 'subject', 'subject'],
  ['location', 'subject', 'subject'],
  ['event', 'subject', 'subject'],
  ['subject', 'parent', 'subject'],
  ['event', 'location', 'location'],
  ['subject', 'location', 'location'],
  ['location', 'related', 'location'],
  ['person', 'event', 'event'],
  ['location', 'event', 'event'],
  ['subject', 'event', 'event'],
];
const ORDERS: readonly GraphOrder[] = ['name_en', 'name_nl', 'date'];

describe('the graph of records', () => {
  let folder: string;
  let index: SearchIndex;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-graph-'));
    await buildSearchIndex(join(folder, 'index.sqlite'), records());
    index = await openSearchIndex(join(folder, 'index.sqlite'), { timeout: 20_000 });
  });
  afterAll(async () => {
    await index?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(FIELDS)(
    'has each %s of a %s that search finds, in the same orders',
    async (hits, field, bound) => {
      let found = 0;
      for (let position = 1; position <= RECORDS; position += 1) {
        for (const order of ORDERS) {
          const clauses = [
            { type: 'kind', kind: hits } as const,
            { type: 'reference', field, record: uuidOf(bound, position) } as const,
          ];
          const searched = await index.search({ clauses, excluded: [], order }, 0, RECORDS);
          const looked = await index.look((graph) =>
            graph.sort(hits, graph.related(endsBetween(hits, field), position), order),
          );
          expect(looked).toEqual(searched.hits.map((hit) => hit.position));
          found += looked.length;
        }
      }
      expect(found).toBeGreaterThan(RECORDS / 2);
    },
  );

  test('counts the events of each decade that a search for it finds, from the first event to the last', async () => {
    const counts = await index.look((graph) => graph.countDecades());
    for (const [decade, count] of counts) {
      const range = { from: decade * 100_000, to: decade * 100_000 + 99_999 };
      const clauses = [{ type: 'range', field: 'date', range } as const];
      expect((await index.search({ clauses, excluded: [] }, 0, 0)).count).toBe(count);
    }
    const clauses = [{ type: 'kind', kind: 'event' } as const];
    const days = await index.look((graph) =>
      Array.from(graph.ordered('event', 'date'), (position) => graph.card('event', position)),
    );
    const decades = days.flatMap(({ date, date_start: start }) => {
      const day = date ?? start;
      return typeof day === 'string' ? [Number(day.slice(0, 3))] : [];
    });
    expect((await index.search({ clauses, excluded: [] }, 0, 0)).count).toBeGreaterThan(decades.length);
    const found = [...counts.keys()];
    expect([found[0], found.at(-1)]).toEqual([decades[0], decades.at(-1)]);
    expect([...counts.values()].at(-1)).toBe(0);
  });

  test('has the record before and after each in an order of its kind', async () => {
    for (const order of ORDERS) {
      const clauses = [{ type: 'kind', kind: 'event' } as const];
      const { hits } = await index.search({ clauses, excluded: [], order }, 0, RECORDS);
      const positions = hits.map(({ position }) => position);
      const found = await index.look((graph) =>
        positions.map((position) => graph.neighbours('event', position, order)),
      );
      expect(found).toEqual(
        positions.map((_, at) => ({ previous: positions[at - 1], next: positions[at + 1] })),
      );
    }
  });

  test('has all records of a kind in the orders of search', async () => {
    const before = index.byteLength;
    for (const kind of KINDS) {
      for (const order of ORDERS) {
        const clauses = [{ type: 'kind', kind } as const];
        const { hits } = await index.search({ clauses, excluded: [], order }, 0, RECORDS);
        const positions = hits.map(({ position }) => position);
        for (let time = 0; time < 2; time += 1)
          expect(await index.look((graph) => [...graph.ordered(kind, order)])).toEqual(positions);
      }
    }
    expect(index.byteLength).toBeGreaterThanOrEqual(before + KINDS.length * ORDERS.length * RECORDS * 4);
  });
});
