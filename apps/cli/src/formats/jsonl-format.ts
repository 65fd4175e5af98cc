import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format } from './format.ts';

/** One record per line as it was served: a bundle, which can be published. */
export const jsonlFormat: Format = {
  name: 'jsonl',
  files: (source) =>
    source.kinds.map((kind) => ({
      name: `${COLLECTIONS[kind]}.jsonl`,
      parts: () => source.blocks(kind),
      proven: source.lines(kind),
    })),
};
