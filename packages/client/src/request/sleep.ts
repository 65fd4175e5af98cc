/** First back-off, doubled with each attempt, in milliseconds. */
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/** Back-off after a number of failed attempts, in milliseconds. */
export function backoffMs(attempts: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS);
}

/**
 * Waits.
 *
 * @param ms milliseconds
 * @throws the signal's reason if it is aborted meanwhile
 */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}
