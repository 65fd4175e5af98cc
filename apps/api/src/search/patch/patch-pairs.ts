import { NumberList } from '../../number-list.ts';
import type { Pairs } from '../file/arrays.ts';
import type { KindEdits } from './kind-edits.ts';

/**
 * Patches the references of a relation, in order of source.
 *
 * @param earlier the references in the earlier edition
 * @param put those of changed and added sources, by new rows, in order of source
 */
export function patchPairs(earlier: Pairs, sources: KindEdits, targets: KindEdits, put: Pairs): Pairs {
  const patched = { sources: new NumberList(Uint32Array), targets: new NumberList(Uint32Array) };
  let done = 0;
  const add = (source: number, target: number) => {
    patched.sources.push(source);
    patched.targets.push(target);
  };
  const putBefore = (row: number) => {
    for (; (put.sources[done] ?? Number.POSITIVE_INFINITY) < row; done++)
      add(put.sources[done] ?? 0, put.targets[done] ?? 0);
  };
  const isWritten = new Uint8Array(sources.after);
  for (const row of sources.written) isWritten[row] = 1;
  for (let at = 0; at < earlier.sources.length; at++) {
    const source = sources.newRows[earlier.sources[at] ?? 0] ?? 0;
    const target = targets.newRows[earlier.targets[at] ?? 0] ?? 0;
    if (source === 0 || target === 0 || isWritten[source - 1]) continue;
    putBefore(source - 1);
    add(source - 1, target - 1);
  }
  putBefore(sources.after);
  return { sources: patched.sources.view, targets: patched.targets.view };
}
