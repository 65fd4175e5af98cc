import { sortDate } from '@archiefkast/site';
import type { OpenEdition } from '../../read/follow-editions.ts';
import type { Query } from '../../search/index.ts';
import type { PageReader } from './page-reader.ts';

/** Decades that are shown at most: the last ones. */
const MOST_DECADES = 60;

/** How many events there are in each decade, from the first that has one to the last. */
export async function countDecades(
  reader: PageReader,
  { search }: OpenEdition,
): Promise<{ start: number; count: number }[]> {
  const [first] = (await reader.find(EVENTS, 'date', 1)).records;
  const [last] = (await reader.find(EVENTS, '-date', 1)).records;
  const from = decadeOf(first && sortDate(first));
  const to = decadeOf(last && sortDate(last));
  if (from === undefined || to === undefined) return [];
  const starts = Array.from({ length: (to - from) / 10 + 1 }, (_, index) => from + index * 10);
  const decades: { start: number; count: number }[] = [];
  // One after the other: asked for at once, the last would wait for all others before it begins.
  for (const start of starts.slice(-MOST_DECADES)) {
    const range = { from: start * 10_000, to: (start + 9) * 10_000 + 9_999 };
    const query: Query = { ...EVENTS, clauses: [...EVENTS.clauses, { type: 'range', field: 'date', range }] };
    decades.push({ start, count: (await search.search(query, 0, 0)).count });
  }
  return decades;
}

const EVENTS: Query = { clauses: [{ type: 'kind', kind: 'event' }], excluded: [] };

function decadeOf(date: string | undefined): number | undefined {
  const year = Number(date?.slice(0, 4));
  return date === undefined || date === '9999' ? undefined : year - (year % 10);
}
