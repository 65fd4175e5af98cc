import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CheckedBundle,
  checkBundle,
  findBundle,
  hashOfFiles,
  type MediaFolder,
} from '@archiefkast/bundle';
import { OAI_MAPPING } from '@archiefkast/formats/oai';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, findServedEdition } from '../storage/edition.ts';
import { type Lease, type LeaseOptions, withLease } from '../storage/lease.ts';
import { truncateLog } from '../storage/sqlite-client.ts';
import { VERSION } from '../version.ts';
import { deleteEditions, hasMoreEditions, sweepEditions, sweepLeftovers } from './sweep-editions.ts';
import { publishEdition, switchEdition } from './switch-edition.ts';
import { type BusyPlace, type WrittenEdition, writeEdition } from './write-edition.ts';

/** Progress of a publish: the current step, and the number of records done. */
export interface PublishProgress {
  step: 'reading' | 'checking' | 'writing' | 'indexing';
  done: number;
  /** Total number of records; unknown while reading and checking. */
  of?: number | undefined;
}

/** Options of a publish. */
export interface PublishOptions extends Pick<LeaseOptions, 'onWait' | 'signal'> {
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
  /** The folder in which to look for the files that records name. */
  media?: MediaFolder;
  /**
   * Called with the warnings of a bundle without faults, and the number of dates of which less than a day is known; not
   * if its files are those of the served edition.
   */
  onChecked?: (bundle: Pick<CheckedBundle, 'warnings' | 'firstDays'>) => void;
  /** Called with the location that has most events, if any has some. */
  onBusiest?: (place: BusyPlace) => void;
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

/** Time within which every server that reads its database sees which editions exist, and has dropped the others. */
const NOTICE_MILLISECONDS = 2_500;

/**
 * Publishes a bundle as a new edition, and switches to it in one transaction. Until then readers see the previous
 * edition. If anything fails, nothing changes for them, and the next publish deletes the unfinished edition.
 *
 * @throws BundleError if the bundle has faults; LeaseLostError if another process has taken over the lease; Error if another
 *   publish is running, a disk is full or the written edition is incomplete; the signal's reason
 */
export async function publish(path: string, options: PublishOptions): Promise<Published> {
  const { database, keep, onProgress = () => {}, derived } = options;
  const counter = (step: PublishProgress['step'], of?: number) => {
    let done = 0;
    return () => {
      done += 1;
      options.signal?.throwIfAborted();
      onProgress({ step, done, of });
    };
  };
  const files = await findBundle(path);
  const hashes = await files.hash();
  const source = hashOfFiles(hashes, `${VERSION} ${OAI_MAPPING}`);
  const findSame = async () => (options.force ? undefined : findServedFrom(database, source));
  const same = await findSame();
  if (same && keep > 1 && !(await hasMoreEditions(database, keep))) {
    return { edition: same, isUnchanged: true, swept: [] };
  }

  const withCleanDatabase = (work: (lease: Lease) => Promise<Published>) =>
    withLease(database, options, async (lease) => {
      await sweepLeftovers(lease);
      await derived.sweep();
      return await work(lease);
    });
  if (same) return await withCleanDatabase((lease) => unchanged(lease, same, options));
  return await files.read(async (opened, faults) => {
    const bundle = await checkBundle(opened, faults, counter('checking'), options.media);
    options.onChecked?.(bundle);
    return await withCleanDatabase(async (lease) => {
      const sameByNow = await findSame();
      if (sameByNow) return unchanged(lease, sameByNow, options);
      const before = await findServedEdition(database);
      const written = await writeEdition(lease, bundle, {
        whole: options.whole,
        onRecord: counter('writing', bundle.total),
      });
      await files.requireUnchanged(hashes);
      // Releases the memory of the bundle before the search index is built.
      bundle.records.clear();
      if (written.isSame && before && !options.force) {
        await deleteEditions(lease, [written.id]);
        // Next time these files are recognised before they are read.
        await lease.transaction((open) => open('editions').where({ id: before.id }).update({ source }));
        return unchanged(lease, before, options);
      }
      if (written.busiest) options.onBusiest?.(written.busiest);
      const onRecord = counter('indexing', written.total);
      await derived.rebuild(written, { onRecord, signal: lease.signal, comparison: written.comparison });
      return await serve(lease, written, { ...options, source, before: before?.id });
    });
  }, counter('reading'));
}

/** The result if nothing has changed since an edition, once the editions that are not kept are deleted. */
async function unchanged(lease: Lease, edition: Edition, options: PublishOptions): Promise<Published> {
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
 * nothing of it is left when this resolves, neither in files of the database nor on a server that sees it in its database.
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
  const served = await findServedEdition(database);
  return served?.source === source ? served : undefined;
}
