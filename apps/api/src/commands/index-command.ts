import { createProgressLine } from '@archiefkast/system';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { withDatabase } from '../storage/connect.ts';
import { findServedEdition, listEditions } from '../storage/edition.ts';
import type { Command } from './command.ts';

/**
 * `archive-api index`: builds the missing search indexes of the kept editions in DERIVED_DIR, the served edition first, so that
 * a server can search from its start. Only reads the database.
 *
 * @throws NothingPublishedError if there are no tables; WriteError if DERIVED_DIR cannot be written to; the signal's reason
 */
export const indexCommand: Command<object> = {
  async run({ config, stdout, stderr, signal }) {
    const progress = createProgressLine(stderr);
    await withDatabase(config, async (database) => {
      const files = createDerivedFiles(database, config);
      const served = await findServedEdition(database);
      const editions = (await listEditions(database)).toSorted(
        (a, b) => Number(b.id === served?.id) - Number(a.id === served?.id),
      );
      for (const edition of editions) {
        signal.throwIfAborted();
        const started = performance.now();
        let done = 0;
        const onRecord = () => {
          done += 1;
          progress.show(() => `edition ${edition.id}: indexing ${done} of ${edition.total} records`);
        };
        const isBuilt = await files.buildIfMissing(edition, { onRecord, signal });
        progress.clear();
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        stdout.write(
          `Edition ${edition.id}: ${isBuilt ? `built the search index, in ${seconds} s` : 'the search index exists'}.\n`,
        );
      }
      if (editions.length === 0) stderr.write('Nothing has been published yet.\n');
    });
  },
};
