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

const outlineSchema = z.object({
  bytes: z.int().min(0),
  sha256: z.string(),
  starts: z.array(z.int().min(0)),
});

/** What is known of a dump that has been made in full: it is not kept, but can be made again from any part. */
export type Outline = z.infer<typeof outlineSchema>;

/** Reads an outline; undefined where there is none that can be read. */
async function readOutline(file: string): Promise<Outline | undefined> {
  try {
    return outlineSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Derived: what is missing or damaged is made anew.
    return undefined;
  }
}

/** Writes an outline in one step. */
async function writeOutline(file: string, outline: Outline): Promise<void> {
  await replaceWhole(file, (temporary) => writeFile(temporary, JSON.stringify(outline)));
}

/** Records fetched by one statement. */
const BATCH_RECORDS = 500;

/** The text kind from which a record is indexed: events as locations list them, where all that they name has its uuid. */
const TEXT_KINDS: Readonly<Record<Kind, TextKind>> = {
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

/** How an index is built. */
interface RebuildOptions {
  /** Called for each record that the index is built of. */
  onRecord?: () => void;
  /** Stops the building. */
  signal?: AbortSignal;
}

/**
 * Keeps the files that a node derives from editions, beside the database: search indexes, and outlines of dumps. What
 * is missing or damaged is made anew.
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
  /** The outline of a dump of an edition; undefined where there is none that can be read. */
  readOutline(edition: EditionKey, name: string): Promise<Outline | undefined>;
  writeOutline(edition: EditionKey, name: string, outline: Outline): Promise<void>;
  /** Deletes what was made from an edition. */
  forget(edition: EditionKey): Promise<void>;
  /** Deletes what was made from editions that the database does not have any more, and what killed builds have left. */
  sweep(): Promise<void>;
}

/** Memory of each open search index, for fields and the hits of the last queries: see docs/decisions/0011-search-thread.md. */
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
  const outlineOf = (edition: EditionKey, name: string) => pathOf(edition, `${name}.outline`);
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
    readOutline: async (edition, name) => readOutline(await outlineOf(edition, name)),
    async writeOutline(edition, name, outline) {
      await prepare();
      await writeOutline(await outlineOf(edition, name), outline);
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
