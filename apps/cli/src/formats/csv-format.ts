import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format } from './format.ts';

/** What makes the lines is loaded with the first file: its names are known before anything is asked. */
const load = () => import('./csv-lines.ts');

/** One row per record, for spreadsheets and statistics. */
export const csvFormat: Format = {
  name: 'csv',
  files: (source, options) => [
    ...source.kinds.map((kind) => ({
      name: `${COLLECTIONS[kind]}.csv`,
      async *parts() {
        yield* (await load()).recordLines(kind, source, options);
      },
    })),
    {
      name: 'footnotes.csv',
      async *parts() {
        yield* (await load()).footnoteLines(source, options);
      },
    },
    {
      name: 'files.csv',
      async *parts() {
        yield* (await load()).fileLines(source, options);
      },
    },
  ],
};
