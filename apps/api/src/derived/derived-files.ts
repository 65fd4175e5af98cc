import { access, constants, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceWhole, WriteError } from '@archiefkast/system';
import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { buildSearchIndex, type IndexedRecord, openSearchIndex } from '../search/index.ts';
import type { Database } from '../storage/connect.ts';
import { type EditionContents, listEditionKeys, readArchiveId } from '../storage/edition.ts';
import { withoutMarks } from '../storage/marks.ts';
import { type Form, fetchEmbeddedUuids, fetchRun } from '../storage/stored-texts.ts';
import { EditionIndex } from './edition-index.ts';

const dumpIndexSchema = z.object({
  bytes: z.int().min(0),
  sha256: z.string(),
  starts: z.array(z.int().min(0)),
});

/** Size, hash and part offsets of a dump: with these, any part of it can be generated alone. */
export type DumpIndex = z.infer<typeof dumpIndexSchema>;

/** Reads a dump index; undefined if it is missing or damaged. */
async function readDumpIndex(file: string): Promise<DumpIndex | undefined> {
  try {
    return dumpIndexSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // It is generated again.
    return undefined;
  }
}

/** Writes a dump index atomically. */
async function writeDumpIndex(file: string, index: DumpIndex): Promise<void> {
  await replaceWhole(file, (temporary) => writeFile(temporary, JSON.stringify(index)));
}

/** Records fetched by one statement. */
const BATCH_RECORDS = 500;

/** The form in which a record is read: events as locations list them, where all that they name has its uuid. */
const FORMS: Readonly<Record<Kind, Form>> = {
  person: 'person',
  subject: 'subject',
  location: 'location',
  event: 'abbreviated_event',
};

/** The records of an edition for its search index: kind by kind, by id. Both languages are in either rendering. */
async function* readIndexedRecords(
  database: Database,
  edition: EditionContents,
): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    const count = edition.counts[kind];
    for (let first = 1; first <= count; first += BATCH_RECORDS) {
      const run = { first, last: Math.min(first + BATCH_RECORDS - 1, count) };
      const texts = await fetchRun(database, edition.id, LANGUAGES[0], FORMS[kind], run);
      const subjects =
        kind === 'location'
          ? await fetchEmbeddedUuids(database, edition.id, kind, 'subject', run)
          : undefined;
      for (const { position, text } of texts) {
        const record: Record<string, unknown> = JSON.parse(withoutMarks(text));
        if (subjects) record['subjects'] = subjects.get(position) ?? [];
        yield { kind, position, record };
      }
    }
  }
}

type EditionKey = Pick<EditionContents, 'key'>;

/** How an index is built. */
interface RebuildOptions {
  /** Called for each record that the index is built of. */
  onRecord?: () => void;
  /** Stops the building. */
  signal?: AbortSignal;
}

/**
 * Keeps the files that a node derives from editions, beside the database: search indexes and dump indexes. A missing
 * or damaged file is built again.
 */
export interface DerivedFiles {
  /** The search index of an edition, which is opened when it is first needed, and built where this node has none. */
  open(edition: EditionContents, log: Logger): EditionIndex;
  /**
   * Builds the search index of an edition, in place of any there is. On failure nothing has changed.
   *
   * @throws the signal's reason; MissingTextError when the edition is not there any more
   */
  rebuild(edition: EditionContents, options?: RebuildOptions): Promise<void>;
  /** The index of a dump; undefined if it is missing or damaged. */
  readDumpIndex(edition: EditionKey, name: string): Promise<DumpIndex | undefined>;
  writeDumpIndex(edition: EditionKey, name: string, index: DumpIndex): Promise<void>;
  /** Deletes what was made from an edition. */
  forget(edition: EditionKey): Promise<void>;
  /** Deletes what was made from editions that the database does not have any more, and what killed builds have left. */
  sweep(): Promise<void>;
}

/** Memory of each open search index, for fields and the hits of the last queries: see docs/decisions/0023-search-thread.md. */
const SEARCH_BYTES = 64 * 2 ** 20;

/** A file that a build which was killed has left was last written longer ago than this. */
const LEFT_MILLISECONDS = 3_600_000;

/** The temporary name of a file that is being written: see `replaceWhole`. */
const TEMPORARY = /\.tmp-[0-9a-f]+$/;

/** The derived files of an archive, in a folder of its own: it is named by the archive, wherever its database is. */
export function createDerivedFiles(
  database: Database,
  { derivedFolder }: Pick<Config, 'derivedFolder'>,
): DerivedFiles {
  let known: string | undefined;
  const folder = async () => {
    known ??= join(derivedFolder, await readArchiveId(database));
    return known;
  };
  const pathOf = async ({ key }: EditionKey, name: string) => join(await folder(), `${key}.${name}`);
  const indexOf = (edition: EditionKey) => pathOf(edition, 'sqlite');
  const dumpIndexPathOf = (edition: EditionKey, name: string) => pathOf(edition, `${name}.outline`);
  const prepare = async () => {
    const path = await folder();
    try {
      await makeFolder(path);
      // SQLite would only say that it cannot open a file.
      await access(path, constants.W_OK);
    } catch (error) {
      throw new WriteError(`DERIVED_DIR: ${path}`, error instanceof WriteError ? error.cause : error);
    }
  };

  const rebuild: DerivedFiles['rebuild'] = async (edition, { onRecord = () => {}, signal } = {}) => {
    await prepare();
    const records = count(readIndexedRecords(database, edition), onRecord);
    await buildSearchIndex(await indexOf(edition), records, signal);
  };
  const removeWhere = async (isStale: (key: string, path: string) => boolean | Promise<boolean>) => {
    const names = await readdir(await folder()).catch(() => []);
    for (const name of names) {
      const path = join(await folder(), name);
      if (await isStale(name.split('.', 1)[0] ?? '', path)) await rm(path, { force: true });
    }
  };

  return {
    rebuild,
    open: (edition, log) =>
      new EditionIndex(
        {
          open: async () => openSearchIndex(await indexOf(edition), { cacheBytes: SEARCH_BYTES }),
          rebuild: (signal) => rebuild(edition, { signal }),
        },
        log.child({ edition: edition.id }),
      ),
    readDumpIndex: async (edition, name) => readDumpIndex(await dumpIndexPathOf(edition, name)),
    async writeDumpIndex(edition, name, index) {
      await prepare();
      await writeDumpIndex(await dumpIndexPathOf(edition, name), index);
    },
    forget: ({ key }) => removeWhere((other) => other === key),
    async sweep() {
      const kept = new Set(await listEditionKeys(database));
      await removeWhere((key, path) => !kept.has(key) || wasLeft(path));
    },
  };
}

/** Whether a file is one that is being written, and was given up. */
async function wasLeft(path: string): Promise<boolean> {
  if (!TEMPORARY.test(path)) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > LEFT_MILLISECONDS;
}

async function* count(
  records: AsyncIterable<IndexedRecord>,
  onRecord: () => void,
): AsyncGenerator<IndexedRecord> {
  for await (const record of records) {
    yield record;
    onRecord();
  }
}
