import type { DateBar } from '@archiefkast/site/date-bars';
import type { RecordGraph } from '../search/index.ts';

/** Years in a bar. */
const STEPS = [1, 10, 100, 1_000];

/** The fewest and most bars, and the fewest years in each; `queryOf` makes the query of a range of years. */
export interface BarOptions {
  finest: number;
  most: number;
  queryOf(from: string, to: string): string;
}

/** The bars of all counted years: the more years lie between the first and the last, the more each bar has. */
export function barsOfYears(
  counts: ReadonlyMap<number, number>,
  { finest, most, queryOf }: BarOptions,
): DateBar[] {
  const years = [...counts.keys()];
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const placeOf = (year: number, step: number) => Math.floor(year / step);
  const step = STEPS.find((each) => each >= finest && placeOf(last, each) - placeOf(first, each) < most);
  if (step === undefined) return [];
  const from = placeOf(first, step);
  const bars = Array.from({ length: placeOf(last, step) - from + 1 }, (_, at) => {
    const start = (from + at) * step;
    const [begin = '', end = ''] = [start, start + step - 1].map((year) => String(year).padStart(4, '0'));
    return { start, end: start + step - 1, count: 0, q: queryOf(begin, end) };
  });
  for (const [year, count] of counts) {
    const bar = bars[placeOf(year, step) - from];
    if (bar) bar.count += count;
  }
  return bars;
}

/** The most bars of all events. */
const MOST_DECADES = 60;

/** All events by decade, from the first to the last: as many as a search finds. */
export function eventBars(graph: RecordGraph): DateBar[] {
  const counts = new Map(Array.from(graph.countDecades(), ([decade, count]) => [decade * 10, count]));
  const queryOf = (from: string, to: string) => `kind:event date:${from}..${to}`;
  return barsOfYears(counts, { finest: 10, most: MOST_DECADES, queryOf });
}
