import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { FileGroup, Format } from './format.ts';

/** Tables for spreadsheets and statistics: of each kind's records, of their footnotes, and of their images and files. */
export const csvFormat: Format = {
  name: 'csv',
  files(source, options) {
    const group: FileGroup = {
      // What makes the lines is loaded when they are made: the names are known before anything is asked.
      async *pieces(names) {
        const { csvPieces } = await import('./csv-pieces.ts');
        yield* csvPieces(names, source, options);
      },
    };
    const tables = [...source.kinds.map((kind) => COLLECTIONS[kind]), 'footnotes', 'files'];
    return tables.map((name) => ({ name: `${name}.csv`, group }));
  },
};
