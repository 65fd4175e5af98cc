import { setTimeout as sleep } from 'node:timers/promises';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, findEdition, servedEditionId } from '../storage/edition.ts';
import { type Lease, type LeaseOptions, withLease } from '../storage/lease.ts';
import { truncateLog } from '../storage/truncate-log.ts';
import { type CheckedBundle, checkBundle } from './bundle/check-bundle.ts';
import type { MediaFolder } from './bundle/media-check.ts';
import { findBundle, hashOfFiles } from './bundle/open-bundle.ts';
import { deleteEdition, hasMoreEditions, sweepEditions, sweepLeftovers } from './sweep-editions.ts';
import { publishEdition, switchEdition } from './switch-edition.ts';
import { type RoomCheck, type WrittenEdition, writeEdition } from './write-edition.ts';

/** Progress of a publish: the current step, and the number of records done. */
export interface PublishProgress {
  step: 'reading' | 'checking' | 'writing' | 'indexing';
  done: number;
  /** Total number of records; unknown while reading and checking. */
  of?: number;
}

/** Options of a publish. */
export interface PublishOptions extends Pick<LeaseOptions, 'onWait' | 'signal' | 'term'> {
  database: Database;
  /** Number of editions to keep: the new one, the one served before it, and then the newest. */
  keep: number;
  /** Whether to keep the new edition without serving it. */
  hold?: boolean | undefined;
  /** Whether to make a new edition even if the content is unchanged. */
  force?: boolean | undefined;
  /** Whether to write every record of the new edition anew, rather than share what did not change with earlier editions. */
  whole?: boolean | undefined;
  /** Called for every record. */
  onProgress?: (progress: PublishProgress) => void;
  /** Checks that there is room on the disks that are written to. @throws DiskSpaceError */
  requireRoom: RoomCheck;
  /** The folder in which to look for the files that records name. */
  media?: MediaFolder;
  /**
   * Called with the warnings of a bundle without faults, and the number of dates of which less than a day is known; not
   * if its files are those of the served edition.
   */
  onChecked?: (bundle: Pick<CheckedBundle, 'warnings' | 'firstDays'>) => void;
  /** The derived files of this node; the search index of the new edition is built before it is served. */
  derived: DerivedFiles;
  /** Called when the edition is published, before old editions are deleted; later errors do not undo the publish. */
  onPublished?: (edition: Edition) => void;
  /**
   * Called with the new edition before it is served. The edition is served when this resolves; if it rejects, the
   * edition stays held.
   */
  beforeServing?: (edition: Edition, signal: AbortSignal) => Promise<void>;
}

/** The result of a publish. */
export interface Published {
  /** The new edition, or the served one if nothing has changed. */
  edition: Edition;
  /** Whether the content is that of the served edition, so that no new edition was made. */
  isUnchanged: boolean;
  /** Ids of the editions that were deleted. */
  swept: number[];
}

/** Time within which every server notices which editions exist, and drops the others from its caches. */
const NOTICE_MILLISECONDS = 1_000;

/**
 * Publishes a bundle as a new edition, and switches to it in one transaction. Until then readers see the previous
 * edition. If anything fails, nothing changes for them, and the next publish deletes the unfinished edition.
 *
 * @throws BundleError if the bundle has faults; LeaseHeldError if another publish is running; DiskSpaceError if a
 *   disk is too full; LeaseLostError if another process has taken over the lease; EditionError if the written edition
 *   is incomplete; the signal's reason
 */
export async function publish(path: string, options: PublishOptions): Promise<Published> {
  const { database, keep, onProgress = () => {}, derived } = options;
  const counter = (step: PublishProgress['step'], of?: number) => {
    let done = 0;
    return () => {
      done += 1;
      options.signal?.throwIfAborted();
      onProgress(of === undefined ? { step, done } : { step, done, of });
    };
  };
  const files = await findBundle(path);
  const hashes = await files.hash();
  const source = hashOfFiles(hashes);
  const findSame = async () => (options.force ? undefined : findServedFrom(database, source));
  const same = await findSame();
  if (same && keep > 1 && !(await hasMoreEditions(database, keep))) {
    return { edition: same, isUnchanged: true, swept: [] };
  }

  const write = async (lease: Lease, bundle: CheckedBundle): Promise<WrittenEdition> => {
    const { whole, requireRoom } = options;
    const onRecord = counter('writing', bundle.total);
    const written = await writeEdition(lease, bundle, { whole, requireRoom, onRecord });
    await files.requireUnchanged(hashes);
    // Releases the memory of the bundle before the search index is built.
    bundle.records.clear();
    return written;
  };
  const publishChecked = async (bundle?: CheckedBundle) =>
    await withLease(database, { ...options, name: 'publish' }, async (lease): Promise<Published> => {
      await sweepLeftovers(lease);
      await derived.sweep();
      const still = await findSame();
      if (still || !bundle) return unchanged(lease, still ?? same, options);
      const before = await servedEditionId(database);
      const written = await write(lease, bundle);
      if (written.isSame && before !== undefined && !options.force) {
        await deleteEdition(lease, written.id);
        // Next time these files are recognised before they are read.
        await database('editions').where({ id: before }).update({ source });
        return unchanged(lease, await findEdition(database, before), options);
      }
      await derived.rebuild(written, { onRecord: counter('indexing', written.total), signal: lease.signal });
      return await serve(lease, written, { ...options, source, before });
    });
  if (same) return await publishChecked();
  return await files.read(async (opened, faults) => {
    const bundle = await checkBundle(opened, faults, counter('checking'), options.media);
    options.onChecked?.(bundle);
    return await publishChecked(bundle);
  }, counter('reading'));
}

/** The result if nothing has changed since an edition, once the editions that are not kept are deleted. */
async function unchanged(
  lease: Lease,
  edition: Edition | undefined,
  options: PublishOptions,
): Promise<Published> {
  if (!edition)
    throw new Error('the served edition was deleted while its files were compared; publish again');
  return { edition, isUnchanged: true, swept: await sweep(lease, options) };
}

/** Publishes and serves a written edition, unless it is to be held, and deletes those that are not kept. */
async function serve(
  lease: Lease,
  written: WrittenEdition,
  options: PublishOptions & { source: string; before: number | undefined },
): Promise<Published> {
  const { source, hold = false, beforeServing, onPublished = () => {}, before } = options;
  const edition = await publishEdition(lease, written, { source, hold: hold || beforeServing !== undefined });
  if (beforeServing) {
    await beforeServing(edition, lease.signal);
    await switchEdition(lease, edition.id);
  }
  onPublished(edition);
  return { edition, isUnchanged: false, swept: await sweep(lease, options, hold ? undefined : before) };
}

/**
 * Deletes the editions that are not kept, and their derived files. With `keep` 1 a record may have to disappear at once:
 * nothing of it is left when this resolves, neither in files of the database nor in caches of servers.
 *
 * @returns the ids of the editions deleted
 */
async function sweep(
  lease: Lease,
  { keep, derived }: Pick<PublishOptions, 'keep' | 'derived'>,
  before?: number,
): Promise<number[]> {
  const swept = await sweepEditions(lease, keep, before);
  await derived.sweep();
  if (keep > 1) return swept;
  await truncateLog(lease.database, lease.signal);
  if (swept.length > 0) await sleep(NOTICE_MILLISECONDS);
  return swept;
}

/** The served edition, if it was made from these files by the same version of the program. */
async function findServedFrom(database: Database, source: string): Promise<Edition | undefined> {
  const id = await servedEditionId(database);
  if (id === undefined) return undefined;
  const row = await database('editions').where({ id, source }).first('id');
  return row && findEdition(database, id);
}
