import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the nursery grows to, both halves of it. Half as much takes more time; twice as much more memory, and saves none. */
const NURSERY_BYTES = 16 * 2 ** 20;

/** Between two looks whether it is as large. */
const LOOK_MILLISECONDS = 5;

/**
 * Lets the heap grow slowly from here on. Publishing makes much garbage from little that stays: V8 would let the heap
 * grow to several times of what is in use before it collects, and its nursery to 32 MB. How large a nursery may become
 * can be said only before a process starts; whether it may grow, at any time.
 *
 * @param load loads the program. The nursery does not grow meanwhile: nothing could look at it before it is too large
 */
export async function growHeapSlowly<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  setFlagsFromString('--semi-space-growth-factor=1');
  const loaded = await load();
  setFlagsFromString('--heap-growing-percent=50');
  collectGarbage();
  setFlagsFromString('--semi-space-growth-factor=2');
  const timer = setInterval(() => {
    if (nurseryBytes() < NURSERY_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(timer);
  }, LOOK_MILLISECONDS).unref();
  return loaded;
}

/** How far the heap may grow is found out when it is collected: after loading, it would wait until three times as much is in use. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

function nurseryBytes(): number {
  const nursery = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return nursery?.space_size ?? 0;
}
