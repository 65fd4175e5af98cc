import type { RecordGraph } from '../search/index.ts';

/** Limit of decades; the last ones are listed. */
const MOST_DECADES = 60;

/** The number of events in each decade, from the first event to the last: as many as a search for the decade finds. */
export function listDecades(graph: RecordGraph): { start: number; count: number }[] {
  const counts = graph.countDecades();
  const found = [...counts.keys()];
  const [first = 0, last = -1] = [found[0], found.at(-1)];
  const from = Math.max(first, last - MOST_DECADES + 1);
  return Array.from({ length: last - from + 1 }, (_, index) => ({
    start: (from + index) * 10,
    count: counts.get(from + index) ?? 0,
  }));
}
