import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** How often the size of the young generation is checked while it grows. */
const CHECK_INTERVAL_MILLISECONDS = 5;

/**
 * Stops V8's young generation, where new objects are allocated, from growing. By default each of its two semi-spaces grows
 * to 64 MB. Their maximum size can be set only before a process starts; whether they may grow, at any time.
 */
export function freezeYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets the young generation grow to a number of bytes, both semi-spaces together. Call it after a program is loaded: while
 * modules load, the timer that checks the size does not run.
 */
export function growYoungGeneration(bytes: number): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const timer = setInterval(() => {
    if (youngGenerationBytes() < bytes) return;
    freezeYoungGeneration();
    clearInterval(timer);
  }, CHECK_INTERVAL_MILLISECONDS).unref();
}

function youngGenerationBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return space?.space_size ?? 0;
}
