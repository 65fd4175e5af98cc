import { existsSync } from 'node:fs';
import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, WriteError } from '@archiefkast/system';
import { forKinds, KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import type { Logger } from 'pino';
import { inBatches, positionBatches } from '../batches.ts';
import type { Config } from '../config.ts';
import type { IndexedRecord } from '../search/build/record-values.ts';
import { buildSearchIndex, updateSearchIndex } from '../search/build/write-index.ts';
import { IndexUpdateError } from '../search/file/index-file.ts';
import { openSearchIndex } from '../search/thread/open-index.ts';
import { type Comparison, compareEditions } from '../storage/compare-editions.ts';
import type { Database } from '../storage/connect.ts';
import { isDiskFull } from '../storage/database-errors.ts';
import { type EditionContents, listEditionKeys, listEditions } from '../storage/edition.ts';
import { readArchiveId } from '../storage/schema.ts';
import { plainTextKindOf, withoutMarks } from '../storage/stored-texts.ts';
import { createTextQueries, MissingTextError } from '../storage/texts.ts';
import { type BuildOptions, createEditionIndex, type IndexSource, noneIfUnusable } from './edition-index.ts';

/** The files that a node derives from editions: see `createDerivedFiles`. */
export type DerivedFiles = ReturnType<typeof createDerivedFiles>;

/** Cache of each open search index, in bytes: see docs/decisions/0009-search-queries.md. */
const SEARCH_BYTES = 40 * 2 ** 20;

/** A temporary file that was not written for this long is left over from a killed build. */
const LEFT_MILLISECONDS = 3_600_000;

/** Records per statement. */
const BATCH_RECORDS = 500;

/** Temporary file names: see `replaceWhole`. */
const TEMPORARY = /\.tmp-[0-9a-f]+$/;

/** Options of building the index of an edition. */
interface RebuildOptions extends BuildOptions {
  /** With an earlier edition, if they have been compared already. */
  comparison?: Comparison | undefined;
}

/**
 * Keeps the files that a node derives from editions, beside the database, in a folder named by the id of the archive: search
 * indexes. A missing or damaged one is built again.
 */
export function createDerivedFiles(database: Database, { derivedFolder }: Pick<Config, 'derivedFolder'>) {
  let known: string | undefined;
  const folder = async () => {
    known ??= join(derivedFolder, await readArchiveId(database));
    return known;
  };
  const fileOf = async ({ key }: Pick<EditionContents, 'key'>) => join(await folder(), `${key}.sqlite`);
  const openIndex = async (edition: EditionContents) =>
    openSearchIndex(await fileOf(edition), { cacheBytes: SEARCH_BYTES });

  /** Keys of the editions that this process has seen in the database. */
  const seen = new Set<string>();

  const prepareFolder = async () => {
    const path = await folder();
    try {
      await makeFolder(path);
      // A clearer error than that of SQLite.
      await access(path, constants.W_OK);
    } catch (error) {
      throw new WriteError(`DERIVED_DIR: ${path}`, error instanceof WriteError ? error.cause : error);
    }
  };
  /** Makes the index of an edition from the newest other one on this node. @throws IndexUpdateError; MissingTextError */
  const update = async (
    edition: EditionContents,
    file: string,
    { onRecord, signal, comparison }: RebuildOptions,
  ) => {
    for (const other of await listEditions(database)) {
      const base = await fileOf(other);
      if (other.key === edition.key || !existsSync(base)) continue;
      const isCompared = comparison?.before.id === other.id;
      const compared = isCompared ? comparison : await compareEditions(database, other, edition);
      const changes = {
        earlier: listIndexedRecords(database, other, positionsIn(compared, 'earlier')),
        records: listIndexedRecords(database, edition, positionsIn(compared, 'later'), onRecord),
      };
      return await updateSearchIndex(file, base, changes, signal);
    }
    throw new IndexUpdateError('there is no earlier index');
  };

  /**
   * Builds the search index of an edition, and replaces any existing one. A new one is the index of the newest other
   * edition with what changed, if that is possible. A failure changes nothing.
   *
   * @throws the reason of the signal; MissingTextError if the edition is no longer kept; WriteError if the disk is full
   */
  async function rebuild(edition: EditionContents, options: RebuildOptions = {}): Promise<void> {
    await prepareFolder();
    options.onBegin?.();
    const file = await fileOf(edition);
    try {
      await updateOrBuild(edition, file, options);
    } catch (error) {
      throw isDiskFull(error) ? new WriteError(`DERIVED_DIR: ${file}`, error) : error;
    }
  }

  async function updateOrBuild(
    edition: EditionContents,
    file: string,
    options: RebuildOptions,
  ): Promise<void> {
    // An index that is replaced may be damaged, and so may the one that it was made from.
    if (!existsSync(file)) {
      try {
        return await update(edition, file, options);
      } catch (error) {
        // Nothing of the earlier edition is left when it has been deleted.
        if (!(error instanceof IndexUpdateError || error instanceof MissingTextError)) throw error;
      }
    }
    const records = listIndexedRecords(database, edition, undefined, options.onRecord);
    await buildSearchIndex(file, records, options.signal);
  }

  return {
    rebuild,
    /** Says which archive the database has, which may have been replaced: its files are in a folder of its own. */
    useArchive(id: string): void {
      known = join(derivedFolder, id);
    },
    /**
     * The search index of an edition, which is opened on first use, and built if missing.
     *
     * @param admit lets queries open it
     */
    open: (edition: EditionContents, log: Logger, admit: Required<IndexSource>['admit']) =>
      createEditionIndex(
        {
          openFile: () => openIndex(edition),
          rebuild: (options) => rebuild(edition, options),
          admit,
          closedError: () => new MissingTextError(edition.id, 'an index: it is no longer kept'),
        },
        log.child({ edition: edition.id }),
      ),
    /**
     * Builds the search index of an edition unless it can be opened.
     *
     * @returns whether it was built
     * @throws as `rebuild` does
     */
    async buildIfMissing(edition: EditionContents, options: BuildOptions): Promise<boolean> {
      const found = await openIndex(edition).catch(noneIfUnusable);
      if (found) await found.close();
      else await rebuild(edition, options);
      return !found;
    },
    /**
     * Deletes the files of editions that the database no longer has, and temporary files of killed builds.
     *
     * @param inUse keys of the editions that are known to be kept, or whose index is open
     * @param onlySeen leaves the files of editions that this process has not seen in the database, which may lag behind that of
     *   a process that is publishing them
     */
    async sweep(inUse: ReadonlySet<string> = new Set(), onlySeen = false): Promise<void> {
      for (const key of inUse) seen.add(key);
      const path = await folder();
      const names = await readdir(path).catch(() => []);
      const doubtful = names.filter((name) => TEMPORARY.test(name) || !inUse.has(keyOf(name)));
      if (doubtful.length === 0) return;
      const kept = new Set([...inUse, ...(await listEditionKeys(database))]);
      for (const key of kept) seen.add(key);
      for (const name of doubtful) {
        const isKept = kept.has(keyOf(name)) || (onlySeen && !seen.has(keyOf(name)));
        if (!isKept || (await wasLeft(join(path, name)))) await rm(join(path, name), { force: true });
      }
    },
  };
}

/** The key of the edition of a file. */
function keyOf(name: string): string {
  return name.split('.', 1)[0] ?? '';
}

/** Whether a file is a temporary file of a killed build. */
async function wasLeft(path: string): Promise<boolean> {
  if (!TEMPORARY.test(path)) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > LEFT_MILLISECONDS;
}

/** Positions of records by kind, ascending. */
type Positions = Readonly<Record<Kind, readonly number[]>>;

/**
 * Records of an edition for its search index, by kind and id. Each language version contains both languages.
 *
 * @param only the positions of those that are read, ascending; all by default
 * @param onRecord called when a record has been indexed
 */
async function* listIndexedRecords(
  database: Database,
  edition: EditionContents,
  only?: Positions,
  onRecord: () => void = () => {},
): AsyncGenerator<IndexedRecord> {
  const queries = createTextQueries(database);
  const { id } = edition;
  for (const kind of KINDS) {
    const batches = only
      ? inBatches(only[kind], BATCH_RECORDS)
      : positionBatches(edition.counts[kind], BATCH_RECORDS);
    for (const positions of batches) {
      const texts = await queries.listTextsAt(id, LANGUAGES[0], plainTextKindOf(kind), positions);
      const subjects = kind === 'location' ? await queries.listLinks(id, kind, positions, 'subject') : [];
      const subjectsOf = Map.groupBy(subjects, ({ source }) => source);
      const supplements = await queries.supplementsAt(id, kind, positions);
      for (const { position, text } of texts) {
        const record: Record<string, unknown> = JSON.parse(withoutMarks(text));
        if (kind === 'location') record['subjects'] = subjectsOf.get(position)?.map(({ uuid }) => uuid) ?? [];
        yield { kind, record, dates: supplements.get(position)?.dates };
        onRecord();
      }
    }
  }
}

/** The positions, in one of two editions, of the records in which they differ. */
function positionsIn({ different }: Comparison, edition: 'earlier' | 'later'): Positions {
  return forKinds((kind) =>
    different[kind]
      .map((record) => record[edition])
      .filter((position) => position !== null)
      .sort((a, b) => a - b),
  );
}
