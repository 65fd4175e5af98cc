import { setImmediate as nextTurn } from 'node:timers/promises';

/** Splits a list into parts of at most `size`, in order: a statement takes only so many values. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The positions, from 1, of the records between two offsets in a list, from 0; `end` is exclusive. */
export function positionsBetween(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index + 1);
}

/** The positions of all records of a list, in batches of at most `size`. */
export function* positionBatches(count: number, size: number): Generator<number[]> {
  for (let start = 0; start < count; start += size)
    yield positionsBetween(start, Math.min(start + size, count));
}

/** Milliseconds of work between two yields to the event loop. */
const SLICE = 20;

/** Yields to the event loop if it has been blocked for a while. @throws the reason of the signal */
export type Pause = () => Promise<void>;

/** Creates a function to call between pieces of long work. @param signal stops the work */
export function createPause(signal?: AbortSignal): Pause {
  let sliceEnds = performance.now() + SLICE;
  return async () => {
    signal?.throwIfAborted();
    if (performance.now() < sliceEnds) return;
    await nextTurn();
    signal?.throwIfAborted();
    sliceEnds = performance.now() + SLICE;
  };
}
