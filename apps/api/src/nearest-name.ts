/**
 * The name nearest to `given`, for "did you mean": the one with the fewest single-letter edits, if those are at most a
 * third of the letters, or one. Undefined if none is near.
 */
export function nearestName<Name extends string>(given: string, names: Iterable<Name>): Name | undefined {
  let nearest: Name | undefined;
  let fewest = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    // The difference in length is a lower bound of the edits; this also skips very long names.
    if (Math.abs(given.length - name.length) >= fewest) continue;
    const edits = editDistance(given, name);
    if (edits < fewest) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest;
}

/** Levenshtein distance: insertions, deletions and substitutions that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution));
    }
  }
  return row[b.length] ?? 0;
}
