import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder, writeWhole } from '@archiefkast/system';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { createEditionReader, type EditionReader, type Fields } from '../edition/edition-reader.ts';
import { positionsInRange } from '../edition/record-keys.ts';
import { pathOfMediaAddress } from '../media-path.ts';
import { ARCHIVE_FILE } from '../publish/bundle/archive-description.ts';
import { SUPPLEMENT_FILE } from '../publish/bundle/supplements.ts';
import type { BundleFormat } from '../publish/bundle/write-bundle.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, findEdition, servedEditionId } from '../storage/edition.ts';
import { hasSupplements } from '../storage/text-kinds.ts';
import { createTextQueries, type Run } from '../storage/texts.ts';
import { NothingPublishedError, withDatabase } from '../storage/with-database.ts';
import type { CommandContext } from './command-context.ts';
import { convertBundle } from './convert.ts';
import { describeCounts } from './publish.ts';

/** Records per batch. */
const BATCH_RECORDS = 200;

/**
 * `archive-api export <out>`: writes the served edition as a bundle. Publishing it again gives the same responses; records
 * that were not published are not included.
 *
 * @throws NothingPublishedError; Error if the folder is not empty
 */
export async function exportCommand(
  { config, stdout, stderr, signal }: CommandContext,
  output: string,
  format: BundleFormat,
): Promise<void> {
  const edition = await withDatabase(config, async (database) => {
    const id = await servedEditionId(database);
    const served = id === undefined ? undefined : await findEdition(database, id);
    if (!served) throw new NothingPublishedError();
    await withTemporaryFolder('archive-export-', async (folder) => {
      await writeLines(database, served, config.baseUrl, folder, signal);
      await convertBundle(folder, output, format, signal);
    });
    return served;
  });
  stdout.write(`Exported edition ${edition.id} to ${output}: ${describeCounts(edition)}.\n`);
  stderr.write('Unpublished records are not included: keep the original bundle.\n');
}

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
      for await (const lines of linesOf(reader, edition, baseUrl, kind)) {
        signal.throwIfAborted();
        await file.appendFile(lines);
      }
    });
  }
  if (edition.archive) await writeFile(join(folder, ARCHIVE_FILE), JSON.stringify(edition.archive));
  await writeWhole(join(folder, SUPPLEMENT_FILE), async (file) => {
    for (const kind of KINDS) {
      if (!hasSupplements(kind)) continue;
      for (const run of runsOf(edition, kind)) {
        const supplements = await queries.fetchSupplements(edition.id, kind, run);
        await file.appendFile([...supplements.values()].map((one) => `${JSON.stringify(one)}\n`).join(''));
      }
    }
  });
}

/** The ranges of positions of a kind's records, in batches. */
function* runsOf({ counts }: Edition, kind: Kind): Generator<Run> {
  for (let first = 1; first <= counts[kind]; first += BATCH_RECORDS) {
    yield { first, last: Math.min(first + BATCH_RECORDS - 1, counts[kind]) };
  }
}

async function* linesOf(
  reader: EditionReader,
  edition: Edition,
  baseUrl: string,
  kind: Kind,
): AsyncGenerator<string> {
  for (const { first, last } of runsOf(edition, kind)) {
    const positions = positionsInRange({ start: first - 1, end: last });
    const some = await reader.readFields(edition, 'nl', kind, positions);
    yield some.map((record) => `${JSON.stringify(withMediaPaths(record, baseUrl))}\n`).join('');
  }
}

/** The record with the paths in MEDIA_DIR of its images and files, as in the original bundle. */
function withMediaPaths(record: Fields, baseUrl: string): Fields {
  const asGiven = (file: unknown): unknown => {
    if (typeof file !== 'object' || file === null || !('path' in file)) return file;
    const path = typeof file.path === 'string' ? pathOfMediaAddress(baseUrl, file.path) : undefined;
    return path === undefined ? file : { ...file, path };
  };
  const entries = Object.entries(record).map(([name, value]) => {
    if (name === 'image' || name === 'main_image') return [name, asGiven(value)];
    return [name, name === 'files' && Array.isArray(value) ? value.map(asGiven) : value];
  });
  return Object.fromEntries(entries);
}
