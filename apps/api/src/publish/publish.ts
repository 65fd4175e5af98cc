import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, type EditionContents, findEdition, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { truncateLog } from '../storage/truncate-log.ts';
import { type CheckedBundle, checkBundle } from './bundle/check-bundle.ts';
import { type OpenBundle, readBundleRecords, withBundle } from './bundle/open-bundle.ts';
import { READING_ORDER } from './bundle/record-schemas.ts';
import type { MediaFolder } from './bundle/warnings/media-check.ts';
import { checkEdition } from './check-edition.ts';
import type { DiskSpace } from './disk-space.ts';
import { DumpBlocks } from './dump-blocks.ts';
import { EditionChanges } from './edition-changes.ts';
import { EditionWriter } from './edition-writer.ts';
import { type PublishLeaseOptions, withPublishLease } from './publish-lease.ts';
import { hashContent, RecordDigests } from './record-digests.ts';
import { createRenderer } from './render/render-record.ts';
import { deleteEdition, hasMoreEditions, sweepEditions, sweepLeftovers } from './sweep-editions.ts';
import { publishEdition, switchEdition } from './switch-edition.ts';

/** Progress of a publish: the current step, and the number of records done. */
export interface PublishProgress {
  step: 'reading' | 'checking' | 'writing' | 'indexing';
  done: number;
  /** Total number of records; unknown while reading and checking. */
  of?: number;
}

/** Options of a publish. */
export interface PublishOptions extends PublishLeaseOptions {
  database: Database;
  /** Number of editions to keep: the new one, the one served before it, and then the newest. */
  keep: number;
  /** Whether to keep the new edition without serving it. */
  hold?: boolean;
  /** Whether to make a new edition even if the content is unchanged. */
  force?: boolean;
  /** Called for every record. */
  onProgress?: (progress: PublishProgress) => void;
  /** Checks the free space on the disks that are written to. */
  diskSpace: DiskSpace;
  /** The folder in which to look for the files that records name. */
  media?: MediaFolder;
  /** Called with the warnings of a bundle without faults, and the number of dates of which less than a day is known. */
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
 * @throws BundleError if the bundle has faults; PublishLockedError if another publish is running; DiskSpaceError if a
 *   disk is too full; LeaseLostError if another process has taken over the lease; EditionError if the written edition
 *   is incomplete; the signal's reason
 */
export async function publish(path: string, options: PublishOptions): Promise<Published> {
  const {
    database,
    keep,
    hold = false,
    onProgress = () => {},
    onPublished = () => {},
    derived,
    diskSpace,
  } = options;
  const counter = (step: PublishProgress['step'], of?: number) => {
    let done = 0;
    return () => {
      done += 1;
      options.signal?.throwIfAborted();
      diskSpace.check();
      onProgress(of === undefined ? { step, done } : { step, done, of });
    };
  };
  const work = async (opened: OpenBundle) => {
    let checked: CheckedBundle | undefined = await checkBundle(opened, counter('checking'), options.media);
    options.onChecked?.(checked);
    const {
      source,
      index: { bytes },
    } = checked;
    const findServed = async (made: { source: string } | { content: string }) =>
      options.force ? undefined : findServedWith(database, made);
    const same = await findServed({ source });
    if (same && keep > 1 && !(await hasMoreEditions(database, keep))) {
      return { edition: same, isUnchanged: true, swept: [] };
    }
    // Releases the memory of the bundle before the search index is built.
    const takeBundle = (): CheckedBundle => {
      if (!checked) throw new Error('the bundle is written already');
      const bundle = checked;
      checked = undefined;
      return bundle;
    };
    return await withPublishLease(database, options, async (lease) => {
      await sweepLeftovers(lease);
      await derived.sweep();
      const still = await findServed({ source });
      if (still) return { edition: still, isUnchanged: true, swept: await sweep(lease, options) };
      await diskSpace.require(bytes);
      const before = await servedEditionId(database);
      const { content, ...written } = await writeEdition(lease, takeBundle(), (total) =>
        counter('writing', total),
      );
      // Another form of the same content: another order of lines, or tables.
      const served = await findServed({ content });
      if (served) {
        await deleteEdition(lease, written.id);
        // Next time these files are recognized before anything is written.
        await database('editions').where({ id: served.id }).update({ source });
        return { edition: served, isUnchanged: true, swept: await sweep(lease, options) };
      }
      const onRecord = counter('indexing', written.total);
      await derived.rebuild(written, { onRecord, signal: lease.signal });
      const isHeld = hold || options.beforeServing !== undefined;
      const edition = await publishEdition(lease, written, { content, source, hold: isHeld });
      if (options.beforeServing) {
        await options.beforeServing(edition, lease.signal);
        await switchEdition(lease, edition.id);
      }
      onPublished(edition);
      const swept = await sweep(lease, options, hold ? undefined : before);
      return { edition, isUnchanged: false, swept };
    });
  };
  return withBundle(path, work, counter('reading'));
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

/** The served edition, if it was made from these files, or has this content, by the same version of the program. */
async function findServedWith(
  database: Database,
  made: { source: string } | { content: string },
): Promise<Edition | undefined> {
  const id = await servedEditionId(database);
  const same =
    id === undefined
      ? undefined
      : await database('editions')
          .where({ id, ...made })
          .first('id');
  return same && id !== undefined ? findEdition(database, id) : undefined;
}

/** Writes and checks the edition, which is not visible yet. */
async function writeEdition(
  lease: Lease,
  bundle: CheckedBundle,
  counter: (total: number) => () => void,
): Promise<EditionContents & { content: string }> {
  const { database, fence, signal } = lease;
  const { index } = bundle;
  const counts = { person: 0, subject: 0, location: 0, event: 0 };
  for (const kind of KINDS) counts[kind] = index.kinds[kind].count;
  const total = KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const key = randomUUID();
  const archive = bundle.archive ? JSON.stringify(bundle.archive) : null;
  const columns = Object.fromEntries(KINDS.map((kind) => [COLLECTIONS[kind], counts[kind]]));
  const id = await lease.transaction(async (transaction) => {
    const [inserted = 0] = await transaction('editions').insert({
      key,
      status: 'writing',
      fence,
      archive,
      ...columns,
    });
    return inserted;
  });
  await writeContent(lease, { id, counts }, bundle, counter(total));
  signal.throwIfAborted();
  await checkEdition(database, id, counts);
  const content = await hashContent(database, { id, counts }, archive, signal);
  return { id, key, counts, total, content };
}

/** Writes the records of an edition, the blocks of its dumps, and what changed since the served one. */
async function writeContent(
  lease: Lease,
  { id, counts }: Pick<EditionContents, 'id' | 'counts'>,
  bundle: CheckedBundle,
  onRecord: () => void,
): Promise<void> {
  const { database, signal } = lease;
  const { index } = bundle;
  const digests = new RecordDigests();
  const changes = new EditionChanges(counts);
  const served = await servedEditionId(database);
  const earlier = served === undefined ? undefined : await findEdition(database, served);
  const beginKind = async (kind: Kind) => {
    const ofKind = { kind, count: counts[kind] };
    const positionOf = (uuid: string) => index.position(kind, uuid);
    const onRemoved = (uuid: string) => changes.addRemoved(kind, uuid);
    if (earlier) await digests.readEarlier(database, earlier, ofKind, positionOf, onRemoved, signal);
  };
  const blocks = new DumpBlocks(counts, index.isSorted('event'));
  const writer = new EditionWriter(lease, id, index, { digests, changes, blocks });
  await writeRecords(writer, bundle, beginKind, onRecord);
  await writer.finish(earlier?.id);
}

async function writeRecords(
  writer: EditionWriter,
  bundle: CheckedBundle,
  beginKind: (kind: Kind) => Promise<void>,
  onRecord: () => void,
): Promise<void> {
  const render = createRenderer(bundle);
  const writeKind = async <K extends Kind>(kind: K) => {
    await beginKind(kind);
    for await (const { record, dates } of readBundleRecords(bundle, kind)) {
      if (!record.published) continue;
      await writer.add(kind, record, render(kind, record, dates));
      onRecord();
    }
    bundle.index.kinds[kind].fingerprints.clear();
  };
  for (const kind of READING_ORDER) await writeKind(kind);
}
