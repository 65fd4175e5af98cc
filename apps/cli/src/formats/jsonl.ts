import { grouped } from '@archiefkast/system';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format } from './format.ts';

/** JSON lines: each record as it was stored, or events with all that they embed, and what the records cannot say. A bundle that can be published. */
export const jsonlFormat: Format = {
  names: (kinds) => [
    ...kinds.map((kind) => `${COLLECTIONS[kind]}.jsonl`),
    'supplement.jsonl',
    'archive.json',
  ],
  async write(source, open, { full: isFull, warn }) {
    for (const kind of source.kinds) {
      const name = `${COLLECTIONS[kind]}.jsonl`;
      const file = open(name);
      const isExpanded = isFull && kind === 'event';
      const bytes = isExpanded ? source.fullEventBytes() : undefined;
      if (bytes !== undefined) warn(`--full: ${name} has ${grouped(Math.ceil(bytes / 1e6))} MB`);
      const parts = isExpanded ? source.fullEvents() : source.blocks(kind);
      if (file) for await (const part of parts) file.write(part);
    }
    const supplements = [...source.supplements.values()];
    const file = supplements.length > 0 ? open('supplement.jsonl') : undefined;
    for (const supplement of supplements) file?.write(`${JSON.stringify(supplement)}\n`);
    const archive = source.words;
    if (archive?.title || archive?.mirror_of)
      open('archive.json')?.write(`${JSON.stringify(archive, null, 2)}\n`);
  },
};
