/** What the tests that are running have started and made. */
const leftovers = new Set<() => Promise<unknown>>();

/**
 * Registers how to end something after the tests of this file, unless a test has done so before.
 *
 * @returns to be called when it has ended
 */
export function endAtLast(end: () => Promise<unknown>): () => void {
  leftovers.add(end);
  return () => leftovers.delete(end);
}

/** Ends what is left, the newest first. */
export async function endLeftovers(): Promise<void> {
  for (const end of [...leftovers].toReversed()) await end();
  leftovers.clear();
}
