import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bundle,
  type CheckedBundle,
  checkBundle,
  digestOfFiles,
  findBundle,
  type MediaFolder,
  READING_ORDER,
  readRecords,
  type Size,
  sizesOf,
  withHostedMedia,
} from '@archiefkast/bundle';
import { OAI_MAPPING } from '@archiefkast/formats/oai';
import { collectGarbage } from '@archiefkast/system';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, findServedEdition, listEditions } from '../storage/edition.ts';
import { currentActor, type Provenance } from '../storage/history.ts';
import { type Lease, type LeaseOptions, withLease } from '../storage/lease.ts';
import { eraseDeleted } from '../storage/sqlite-client.ts';
import { VERSION } from '../version.ts';
import { requireCopied } from './require-copied.ts';
import { deleteEditions, hasMoreEditions, sweepEditions, sweepLeftovers } from './sweep-editions.ts';
import { publishEdition, switchEdition } from './switch-edition.ts';
import { type BusyPlace, type WrittenEdition, writeEdition } from './write-edition.ts';

/** Progress of a publish: the current step, and the number of records done. */
export interface PublishProgress {
  step: 'reading' | 'checking' | 'making pictures of' | 'writing' | 'indexing';
  done: number;
  /** Total number of records; unknown while reading and checking. */
  of?: number | undefined;
}

/** Makes smaller sizes of pictures, and deletes them. */
export interface PictureMaker {
  /** Those of a picture by its path in the media folder, unless they are there; undefined if none can be made of it. */
  make(path: string): Promise<Size | undefined>;
  /** What stands for the files in the media folder: another text once one of them may be another one. */
  digestOfMedia(): Promise<string>;
  /** What stands for the pictures whose sizes are there. */
  digestOfMade(): Promise<string>;
  /** Deletes those of pictures that no edition has. */
  sweep(): Promise<void>;
}

/** Options of a publish. */
export interface PublishOptions extends Pick<LeaseOptions, 'onWait' | 'signal'> {
  database: Database;
  /**
   * Base of the addresses that name the records of this archive: a bundle that was copied of another one must be unedited. If
   * undefined, one that was copied of this one too.
   */
  identityUrl: string | undefined;
  /** The key of the new edition: a new one, by default. */
  key?: string | undefined;
  /** Number of editions to keep: the new one, the one served before it, and then the newest. */
  keep: number;
  /** Whether to keep the new edition without serving it. */
  hold?: boolean | undefined;
  /** Whether to make a new edition even if the content is unchanged. */
  force?: boolean | undefined;
  /** Whether to write every record of the new edition anew, rather than share what did not change with earlier editions. */
  whole?: boolean | undefined;
  /** What the publisher says of the edition; public. */
  note?: string | undefined;
  /** Called for every record. */
  onProgress?: (progress: PublishProgress) => void;
  /** The folder in which to look for the files that records name, and for those of the original of a copy, which are then hosted here. */
  media?: MediaFolder | undefined;
  /** Makes smaller sizes of the pictures in that folder, which the edition then lists; undefined if it has none. */
  pictures?: PictureMaker | undefined;
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
 * Publishes a bundle, or that at a path, as a new edition, and switches to it in one transaction. Until then readers see the previous
 * edition. If anything fails, nothing changes for them, and the next publish deletes the unfinished edition.
 *
 * @throws BundleError if the bundle has faults; LeaseLostError if another process has taken over the lease; Error if another
 *   publish is running, a disk is full or the written edition is incomplete; the signal's reason
 */
export async function publish(bundle: string | Bundle, options: PublishOptions): Promise<Published> {
  const { database, keep, onProgress = () => {}, derived } = options;
  const counter = (step: PublishProgress['step'], of?: number) => {
    let done = 0;
    return () => {
      done += 1;
      options.signal?.throwIfAborted();
      onProgress({ step, done, of });
    };
  };
  const files = typeof bundle === 'string' ? await findBundle(bundle) : bundle;
  const hashes = await files.hash();
  const sha256 = digestOfFiles(hashes);
  // A picture may be another one under the same name.
  const media = await options.pictures?.digestOfMedia();
  const sourceOf = async () => {
    const pictures = options.pictures ? [media, await options.pictures.digestOfMade()] : [];
    return hash('sha256', [sha256, VERSION, OAI_MAPPING, ...pictures].join(' '));
  };
  const provenance = {
    ...currentActor(),
    bundle: basename(typeof bundle === 'string' ? resolve(bundle) : ([...hashes.keys()][0] ?? '')),
    sha256,
    version: VERSION,
    note: options.note,
  };
  const findSame = async (source: string) => (options.force ? undefined : findServedFrom(database, source));
  const same = await findSame(await sourceOf());
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
    const hosted = withHostedMedia(opened, options.media);
    const checked = await checkBundle(hosted, faults, {
      onRecord: counter('checking'),
      media: options.media,
    });
    options.onChecked?.(checked);
    checked.makeSizes = options.pictures?.make;
    // Before the lease: the first time this takes long. What is there is not made again.
    if (options.pictures) await makePictures(checked, counter('making pictures of', checked.total));
    return await withCleanDatabase(async (lease) => {
      const source = await sourceOf();
      const sameByNow = await findSame(source);
      if (sameByNow) return unchanged(lease, sameByNow, options);
      const before = await findServedEdition(database);
      const written = await writeEdition(lease, checked, {
        whole: options.whole,
        key: options.key,
        onRecord: counter('writing', checked.total),
      });
      await files.requireUnchanged(hashes);
      const { archive, archiveAt } = opened;
      if (archive?.mirror_of && archive.mirror_of.address !== options.identityUrl)
        await requireCopied(database, written, { ...archive, mirror_of: archive.mirror_of }, archiveAt);
      if (written.isSame && before && !options.force) {
        await deleteEditions(lease, [written.id]);
        // Next time these files are recognised before they are read.
        await lease.transaction((open) => open('editions').where({ id: before.id }).update({ source }));
        return unchanged(lease, before, options);
      }
      if (written.busiest) options.onBusiest?.(written.busiest);
      // Releases the memory of the bundle before the search index is built.
      checked.records.clear();
      collectGarbage();
      const onRecord = counter('indexing', written.total);
      await derived.rebuild(written, { onRecord, signal: lease.signal, comparison: written.comparison });
      return await serve(lease, written, { ...options, source, provenance, before: before?.id });
    });
  }, counter('reading'));
}

async function makePictures(bundle: CheckedBundle, onRecord: () => void): Promise<void> {
  for (const kind of READING_ORDER)
    for await (const { record, known } of readRecords(bundle, kind)) {
      if (known.position === 0) continue;
      await sizesOf(bundle, record);
      onRecord();
    }
}

/**
 * Deletes the editions that are not wanted, but the served one, and all that is left of them, as `keep` 1 does; also what is left by
 * a process that was killed meanwhile.
 *
 * @returns their ids; no lease is taken, and no table written, if there are none
 */
export async function keepOnly(
  isWanted: (edition: Edition) => boolean,
  options: Pick<PublishOptions, 'database' | 'derived' | 'pictures' | 'onWait'> & { signal: AbortSignal },
): Promise<number[]> {
  const { database, derived, pictures } = options;
  const listUnwanted = async () => {
    const served = await findServedEdition(database);
    const editions = await listEditions(database);
    return editions.filter((each) => each.id !== served?.id && !isWanted(each)).map(({ id }) => id);
  };
  const unfinished = await database('editions').where({ status: 'writing' }).first('id');
  if (!unfinished && (await listUnwanted()).length === 0) {
    await derived.sweep();
    await eraseDeleted(database, options.signal);
    return [];
  }
  return await withLease(database, options, async (lease) => {
    await sweepLeftovers(lease);
    const unwanted = await listUnwanted();
    await deleteEditions(lease, unwanted);
    await pictures?.sweep();
    await finishSweep(lease, derived, unwanted);
    return unwanted;
  });
}

/** The result if nothing has changed since an edition, once the editions that are not kept are deleted. */
async function unchanged(lease: Lease, edition: Edition, options: PublishOptions): Promise<Published> {
  return { edition, isUnchanged: true, swept: await sweep(lease, options) };
}

/** Publishes and serves a written edition, unless it is to be held, and deletes those that are not kept. */
async function serve(
  lease: Lease,
  written: WrittenEdition,
  options: PublishOptions & { source: string; provenance: Provenance; before: number | undefined },
): Promise<Published> {
  const { source, provenance, hold = false, beforeServing, onPublished = () => {}, before } = options;
  const edition = await publishEdition(lease, written, {
    ...{ source, provenance, hold: hold || beforeServing !== undefined },
  });
  if (beforeServing) {
    await beforeServing(edition, lease.signal);
    await switchEdition(lease, edition.id, 'publish');
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
  { keep, derived, pictures }: Pick<PublishOptions, 'keep' | 'derived' | 'pictures'>,
  before?: number,
): Promise<number[]> {
  const swept = await sweepEditions(lease, keep, before);
  await pictures?.sweep();
  if (keep > 1) await derived.sweep();
  else await finishSweep(lease, derived, swept);
  return swept;
}

/** Deletes what is left of editions that were deleted: derived files, and what the files of SQLite have left of rows; waits until servers have noticed. */
async function finishSweep(lease: Lease, derived: DerivedFiles, swept: readonly number[]): Promise<void> {
  await derived.sweep();
  await eraseDeleted(lease.database, lease.signal);
  if (swept.length > 0) await sleep(NOTICE_MILLISECONDS);
}

/** The served edition, if it was made from these files by the same version of the program. */
async function findServedFrom(database: Database, source: string): Promise<Edition | undefined> {
  const served = await findServedEdition(database);
  return served?.source === source ? served : undefined;
}
