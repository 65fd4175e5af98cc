import type { WatchRecords } from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types';
import { createKindContent, type KindContent } from './kind-content.ts';

/** What is gathered of the records of a harvest while they come. */
export interface GatheredContents {
  /** Of each kind, that of its last walk. */
  contents: ReadonlyMap<Kind, KindContent>;
  watchRecords: WatchRecords;
}

/** Makes what gathers the contents of all kinds that are harvested, so that nothing is read again to be checked. */
export function gatherContents(kinds: readonly Kind[]): GatheredContents {
  const contents = new Map<Kind, KindContent>();
  return {
    contents,
    watchRecords(kind) {
      const content = createKindContent(kind, kinds);
      contents.set(kind, content);
      return content;
    },
  };
}
