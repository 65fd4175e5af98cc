/** Clean-up actions of the tests that are running. */
const leftovers = new Set<() => Promise<unknown>>();

/**
 * Registers a clean-up action, which runs after the tests of this file if a test fails before its own clean-up.
 *
 * @returns removes the action again: call it after the clean-up
 */
export function endAtLast(end: () => Promise<unknown>): () => void {
  leftovers.add(end);
  return () => leftovers.delete(end);
}

/** Runs the remaining clean-up actions, the newest first. */
export async function endLeftovers(): Promise<void> {
  for (const end of [...leftovers].toReversed()) await end();
  leftovers.clear();
}
