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
import { fetchEmbeddedUuids, fetchRun, type TextKind } from '../storage/stored-texts.ts';
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

/** Records per statement. */
const BATCH_RECORDS = 500;

/** The text kind to read for each kind: abbreviated events, because their references are by UUID. */
const TEXT_KINDS: Readonly<Record<Kind, TextKind>> = {
  person: 'person',
  subject: 'subject',
  location: 'location',
  event: 'abbreviated_event',
};

/** The records of an edition for its search index, by kind and id. Each language version contains both languages. */
async function* readIndexedRecords(
  database: Database,
  edition: EditionContents,
): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    const count = edition.counts[kind];
    for (let first = 1; first <= count; first += BATCH_RECORDS) {
      const run = { first, last: Math.min(first + BATCH_RECORDS - 1, count) };
      const texts = await fetchRun(database, edition.id, LANGUAGES[0], TEXT_KINDS[kind], run);
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

/** Options of `rebuild`. */
interface RebuildOptions {
  /** Called for each indexed record. */
  onRecord?: () => void;
  /** Cancels the build. */
  signal?: AbortSignal;
}

/**
 * Keeps the files that a node derives from editions, beside the database: search indexes and dump indexes. A missing
 * or damaged file is built again.
 */
export interface DerivedFiles {
  /** The search index of an edition, which is opened on first use, and built if missing. */
  open(edition: EditionContents, log: Logger): EditionIndex;
  /**
   * Builds the search index of an edition, and replaces any existing one. A failure changes nothing.
   *
   * @throws the reason of the signal; MissingTextError if the edition is no longer kept
   */
  rebuild(edition: EditionContents, options?: RebuildOptions): Promise<void>;
  /** The index of a dump; undefined if it is missing or damaged. */
  readDumpIndex(edition: EditionKey, name: string): Promise<DumpIndex | undefined>;
  writeDumpIndex(edition: EditionKey, name: string, index: DumpIndex): Promise<void>;
  /** Deletes the derived files of an edition. */
  forget(edition: EditionKey): Promise<void>;
  /** Deletes the derived files of editions that are no longer in the database, and temporary files of killed builds. */
  sweep(): Promise<void>;
}

/** Cache of each open search index, in bytes: see docs/decisions/0011-search-thread.md. */
const SEARCH_BYTES = 64 * 2 ** 20;

/** A temporary file that was not written for this long is left over from a killed build. */
const LEFT_MILLISECONDS = 3_600_000;

/** Temporary file names: see `replaceWhole`. */
const TEMPORARY = /\.tmp-[0-9a-f]+$/;

/** Opens the derived files of an archive, in a folder named by the id of the archive. */
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
      // A clearer error than that of SQLite.
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

/** Whether a file is a temporary file of a killed build. */
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
