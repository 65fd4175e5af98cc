import { closestMatch } from 'leven';

/**
 * The name nearest to `given`, for "did you mean": the one with the fewest single-letter edits, if those are at most a
 * third of the letters, or one. Undefined if none is near.
 */
export function nearestName<Name extends string>(given: string, names: Iterable<Name>): Name | undefined {
  const all = [...names];
  const nearest = closestMatch(given, all, { maxDistance: Math.max(1, Math.floor(given.length / 3)) });
  return all.find((name) => name === nearest);
}

/** A hint that names the nearest of the names; empty if none is near. */
export function hintOf(given: string, names: Iterable<string>): string {
  const near = nearestName(given, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
}
