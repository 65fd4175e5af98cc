import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, type EditionContents, findEdition, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { type CheckedBundle, checkBundle } from './bundle/check-bundle.ts';
import { type OpenBundle, readBundleRecords, withBundle } from './bundle/open-bundle.ts';
import { READING_ORDER } from './bundle/record-schemas.ts';
import { checkEdition } from './check-edition.ts';
import type { DiskSpace } from './disk-space.ts';
import { EditionWriter } from './edition-writer.ts';
import { type PublishLeaseOptions, withPublishLease } from './publish-lease.ts';
import { RecordDigests } from './record-digests.ts';
import { createRenderer } from './render/render-record.ts';
import { deleteEdition, sweepEditions, sweepLeftovers } from './sweep-editions.ts';
import { publishEdition, switchEdition } from './switch-edition.ts';

/** A step of publishing, and how many records it has done. */
export interface PublishProgress {
  step: 'reading' | 'checking' | 'writing' | 'indexing';
  done: number;
  /** How many there are; unknown while reading and checking. */
  of?: number;
}

/** How a bundle is published. */
export interface PublishOptions extends PublishLeaseOptions {
  database: Database;
  /** How many editions stay: the new one, the one served until now, and then the newest. */
  keep: number;
  /** Whether the new edition is kept without being served. */
  hold?: boolean;
  /** Makes a new edition of what is served already, too. */
  force?: boolean;
  /** Called on every record. */
  onProgress?: (progress: PublishProgress) => void;
  /** Free space on the disks it is written to. */
  diskSpace: DiskSpace;
  /** Called when the bundle has no faults: with its warnings, and how many dates without a day became the first. */
  onChecked?: (bundle: Pick<CheckedBundle, 'warnings' | 'firstDays'>) => void;
  /** What this node derives from editions: the new one has its search index before it is served. */
  derived: DerivedFiles;
  /** Called when the edition is published, before what is no longer kept is deleted: from here on nothing undoes it. */
  onPublished?: (edition: Edition) => void;
  /**
   * Called with the new edition, which is kept but not served yet: it is served when this has resolved. When it rejects,
   * the edition stays as one that is held.
   */
  beforeServing?: (edition: Edition, signal: AbortSignal) => Promise<void>;
}

/** What a publish did. */
export interface Published {
  /** The new edition; where nothing has changed, the one that is served. */
  edition: Edition;
  /** Whether the bundle is what is served already, so that there is no new edition. */
  isUnchanged: boolean;
  /** Ids of the editions that are no longer kept. */
  swept: number[];
}

/** In this time every server on the database looks which editions there are, and forgets the others. */
const NOTICE_MILLISECONDS = 1_000;

/**
 * Compiles a bundle into a new edition and switches to it in one step. Until then readers see the edition
 * before; when anything fails, nothing has changed for them, and the next publish sweeps what was written.
 *
 * @throws BundleError when the bundle has faults; PublishLockedError when another publish is under way;
 *   DiskSpaceError before anything is written, or before a disk is full; LeaseLostError when another one has taken over; EditionError when the database does not hold what was written; the
 *   signal's reason
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
    let checked: CheckedBundle | undefined = await checkBundle(opened, counter('checking'));
    options.onChecked?.(checked);
    await diskSpace.require(checked.index.bytes);
    // Its memory is free for the index, which is built when it has been written.
    const takeBundle = (): CheckedBundle => {
      if (!checked) throw new Error('the bundle is written already');
      const bundle = checked;
      checked = undefined;
      return bundle;
    };
    return await withPublishLease(database, options, async (lease) => {
      await sweepLeftovers(lease);
      const before = await servedEditionId(database);
      const { content, ...written } = await writeEdition(lease, takeBundle(), (total) =>
        counter('writing', total),
      );
      const served = options.force ? undefined : await servedWith(database, content);
      if (served) {
        await deleteEdition(lease, written.id);
        return { edition: served, isUnchanged: true, swept: await sweepEditions(lease, keep) };
      }
      const onRecord = counter('indexing', written.total);
      await derived.rebuild(written, { onRecord, signal: lease.signal });
      const isHeld = hold || options.beforeServing !== undefined;
      const edition = await publishEdition(lease, written, { content, hold: isHeld });
      if (options.beforeServing) {
        await options.beforeServing(edition, lease.signal);
        await switchEdition(lease, edition.id);
      }
      onPublished(edition);
      const swept = await sweepEditions(lease, keep, hold ? undefined : before);
      await derived.sweep();
      // Where nothing else stays, a record may have to be gone: no server answers from its memory when the publish has ended.
      if (keep === 1 && swept.length > 0) await sleep(NOTICE_MILLISECONDS);
      return { edition, isUnchanged: false, swept };
    });
  };
  return withBundle(path, work, counter('reading'));
}

/** The served edition, if it was made of the same content by the same program. */
async function servedWith(database: Database, content: string): Promise<Edition | undefined> {
  const id = await servedEditionId(database);
  const same = id === undefined ? undefined : await database('editions').where({ id, content }).first('id');
  return same && id !== undefined ? findEdition(database, id) : undefined;
}

/** Writes and checks the edition; nobody sees it yet. */
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
  const digests = new RecordDigests(counts);
  const served = await servedEditionId(database);
  const earlier = served === undefined ? undefined : await findEdition(database, served);
  const positionOf = (kind: Kind, uuid: string) => index.position(kind, uuid);
  if (earlier) await digests.readEarlier(database, earlier, positionOf, signal);
  await writeRecords(new EditionWriter(lease, id, index, digests), bundle, counter(total));
  signal.throwIfAborted();
  await checkEdition(database, id, counts);
  return { id, key, counts, total, content: digests.contentHash(archive) };
}

async function writeRecords(
  writer: EditionWriter,
  bundle: CheckedBundle,
  onRecord: () => void,
): Promise<void> {
  const render = createRenderer(bundle);
  const writeKind = async <K extends Kind>(kind: K) => {
    for await (const record of readBundleRecords(bundle, kind)) {
      if (!record.published) continue;
      await writer.add(kind, record, render(kind, record));
      onRecord();
    }
  };
  for (const kind of READING_ORDER) await writeKind(kind);
  await writer.finish();
}
