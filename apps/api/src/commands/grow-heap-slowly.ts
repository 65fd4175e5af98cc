import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freezeYoungGeneration, growYoungGeneration } from '@archiefkast/system/young-generation';

/** Maximum size of the young generation. Half of it takes more time; twice of it takes more memory and saves no time. */
const YOUNG_GENERATION_BYTES = 16 * 2 ** 20;

/**
 * Lets the heap grow slowly from here on. Publishing makes much garbage from little that stays: V8 would let the heap
 * grow to several times of what is in use before it collects.
 *
 * @param load loads the program. The young generation does not grow meanwhile
 */
export async function growHeapSlowly<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  freezeYoungGeneration();
  const loaded = await load();
  setFlagsFromString('--heap-growing-percent=50');
  collectGarbage();
  growYoungGeneration(YOUNG_GENERATION_BYTES);
  return loaded;
}

/** How far the heap may grow is found out when it is collected: after loading, it would wait until three times as much is in use. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}
