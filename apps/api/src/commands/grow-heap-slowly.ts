import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growNursery, keepNursery } from '@archiefkast/system/nursery';

/** What the nursery grows to, both halves of it. Half as much takes more time; twice as much more memory, and saves none. */
const NURSERY_BYTES = 16 * 2 ** 20;

/**
 * Lets the heap grow slowly from here on. Publishing makes much garbage from little that stays: V8 would let the heap
 * grow to several times of what is in use before it collects.
 *
 * @param load loads the program. The nursery does not grow meanwhile
 */
export async function growHeapSlowly<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  keepNursery();
  const loaded = await load();
  setFlagsFromString('--heap-growing-percent=50');
  collectGarbage();
  growNursery(NURSERY_BYTES);
  return loaded;
}

/** How far the heap may grow is found out when it is collected: after loading, it would wait until three times as much is in use. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}
