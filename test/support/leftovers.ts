/** What tests have begun and not ended yet: an action for each that ends it. */
const leftovers = new Set<() => Promise<unknown>>();

/**
 * Notes how to end something when the tests of this file are over, in case they fail before they do so themselves.
 *
 * @returns call it when it has been ended
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
