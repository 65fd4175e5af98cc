import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work between two yields to the event loop. */
const SLICE = 20;

/** Yields to the event loop if it has been blocked for a while. @throws the reason of the signal */
export type Pause = () => Promise<void>;

let lastTurn: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop in which no other waiter goes on: many long pieces of work then do not follow each other. */
export async function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  await lastTurn;
}

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
