import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format } from './format.ts';

/** JSON lines: each record as it was served, and what the records cannot say. A bundle that can be published. */
export const jsonlFormat: Format = {
  names: (kinds) => [
    ...kinds.map((kind) => `${COLLECTIONS[kind]}.jsonl`),
    'supplement.jsonl',
    'archive.json',
  ],
  async write(source, open) {
    for (const kind of source.kinds) {
      const file = open(`${COLLECTIONS[kind]}.jsonl`);
      if (file) for await (const block of source.blocks(kind)) file.write(block);
    }
    const supplements = [...source.supplements.values()];
    const file = supplements.length > 0 ? open('supplement.jsonl') : undefined;
    for (const supplement of supplements) file?.write(`${JSON.stringify(supplement)}\n`);
    const archive = source.words?.bundle;
    if (archive) open('archive.json')?.write(`${JSON.stringify(archive, null, 2)}\n`);
  },
};
