import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ARCHIVE_FILE, SUPPLEMENT_FILE, withMediaPaths } from '@archiefkast/bundle';
import { isWorkbook } from '@archiefkast/bundle/write-bundle';
import { defineCommand, required } from '@archiefkast/command-line';
import { withTemporaryFolder, writeWhole } from '@archiefkast/system';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { positionBatches } from '../batches.ts';
import { createEditionReader } from '../edition/edition-reader.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, findServedEdition } from '../storage/edition.ts';
import { NothingPublishedError, withDatabase } from '../storage/open-database.ts';
import { createTextQueries, readSupplementLines } from '../storage/texts.ts';
import { type CommandContext, OUT } from './command.ts';
import { convertBundle } from './convert.ts';
import { describeCounts } from './publish.ts';

/** Records per batch. */
const BATCH_RECORDS = 200;

/**
 * `archive-api extract <out>`: writes the served edition as a bundle. Publishing it again gives the same responses; records
 * that were not published are not included.
 *
 * @throws NothingPublishedError; Error if the folder is not empty
 */
export const extractCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('out', required(OUT))
      .option('to', {
        choices: ['jsonl', 'tables'] as const,
        describe: 'Format in a folder: JSON Lines or tables (CSV) [default: jsonl]',
      })
      .check(({ out, to }) => to === undefined || !isWorkbook(out) || '--to: expected only with a folder'),
  examples: [
    ['extract bundle', 'Writes the served edition as JSON Lines'],
    ['extract bundle.xlsx', 'Writes it as a workbook, to edit and publish again'],
  ],
  async run({ config, stdout, stderr, signal }: CommandContext, { out: output, to: format = 'jsonl' }) {
    const edition = await withDatabase(config, async (database) => {
      const served = await findServedEdition(database);
      if (!served) throw new NothingPublishedError();
      await withTemporaryFolder('archive-extract-', async (folder) => {
        await writeLines(database, served, config.baseUrl, folder, signal);
        await convertBundle(folder, output, format, signal);
      });
      return served;
    });
    stdout.write(`Exported edition ${edition.id} to ${output}: ${describeCounts(edition)}.\n`);
    stderr.write('Unpublished records are not included: keep the original bundle.\n');
  },
});

/** Writes the served records as a bundle of JSON Lines. */
async function writeLines(
  database: Database,
  edition: Edition,
  baseUrl: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const queries = createTextQueries(database);
  const reader = createEditionReader(queries, baseUrl);
  for (const kind of KINDS) {
    await writeWhole(join(folder, `${COLLECTIONS[kind]}.jsonl`), async (file) => {
      for (const positions of positionBatches(edition.counts[kind], BATCH_RECORDS)) {
        signal.throwIfAborted();
        const records = await reader.readFields(edition, 'nl', kind, positions);
        const lines = records.map((record) => `${JSON.stringify(withMediaPaths(record, baseUrl))}\n`);
        await file.appendFile(lines.join(''));
      }
    });
  }
  if (edition.archive) await writeFile(join(folder, ARCHIVE_FILE), JSON.stringify(edition.archive));
  await writeWhole(join(folder, SUPPLEMENT_FILE), async (file) => {
    for await (const lines of readSupplementLines(queries, edition)) await file.appendFile(lines.join(''));
  });
}
