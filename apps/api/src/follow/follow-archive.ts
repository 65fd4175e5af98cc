import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMediaPath } from '@archiefkast/bundle/media-path';
import { type ClientOptions, createClient, type ServedManifest } from '@archiefkast/client';
import {
  MEDIA_NOTES,
  readArchiveWords,
  removeStore,
  STORE_FILE,
  takeMedia,
} from '@archiefkast/client/internal/node';
import { contractSchemas, HarvestStore, harvest } from '@archiefkast/client/node';
import { makeFolder } from '@archiefkast/system';
import type { Logger } from 'pino';
import { ExitError } from '../commands/command.ts';
import type { DerivedFiles } from '../derived/derived-files.ts';
import { keepOnly, type PictureMaker, publish } from '../publish/publish.ts';
import { noteGone, switchEdition } from '../publish/switch-edition.ts';
import type { Database } from '../storage/connect.ts';
import { findNamedEdition, findServedEdition } from '../storage/edition.ts';
import { withLease } from '../storage/lease.ts';
import { noteFollowing } from '../storage/schema.ts';
import { openHarvested } from './harvested-bundle.ts';

/** Name of the store of a harvest that is not proven yet. */
const NEXT_FILE = 'harvest-update.sqlite';

/** Editions that one run copies at most, while the original publishes others. */
const MOST_TRIES = 5;

/** Exit code of a harvest during which the archive changed. */
const MOVED = 3;

/** A copy, and the archive that it follows. */
export interface Follower {
  database: Database;
  derived: DerivedFiles;
  /** The folder of the harvest from which editions are made. */
  folder: string;
  /** The folder to which the files that the original hosts are copied; undefined if they are not. */
  media: string | undefined;
  /** Makes smaller sizes of the pictures in that folder. */
  pictures: PictureMaker | undefined;
  client: ClientOptions & { baseUrl: string };
  log: Logger;
  signal: AbortSignal;
}

/**
 * Brings a copy up to date: serves what its original serves, keeps of its own editions those that the original lists, and notes
 * when this was so. An edition that it does not have is harvested, compared with the manifest, and published under the same key.
 * Stopped at any moment, it goes on where it was; until an edition is proven, nothing changes for readers.
 *
 * @throws RequestError and other errors of a harvest; ExitError if the archive changed during it; errors of a publish
 */
export async function followArchive(follower: Follower): Promise<void> {
  const { database, log, signal } = follower;
  const client = createClient({ ...follower.client, schemas: contractSchemas, lenient: true });
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    signal.throwIfAborted();
    const verifiedAt = new Date();
    const offered = await client.manifest();
    if (!offered?.manifest.archive)
      throw new Error(
        `${client.baseUrl} has no manifest that says of which archive it is: it cannot be followed`,
      );
    const { address } = offered.manifest.archive.mirror_of;
    const served = await findServedEdition(database);
    const copied = served && (served.archive?.mirror_of?.address ?? 'none');
    if (copied !== undefined && copied !== address)
      throw new Error(`DATABASE_URL: expected an empty database or a copy of ${address}, not of ${copied}`);
    const { key } = offered.manifest.edition;
    const listed = new Set([key, ...(await client.editions()).editions.map((edition) => edition.key)]);
    if (served?.key !== key) {
      await serveEdition(follower, offered, listed);
      continue;
    }
    const swept = await keepOnly((edition) => listed.has(edition.key), follower);
    if (swept.length > 0) log.info({ editions: swept }, 'the original no longer keeps these editions');
    removeUnlisted(follower, listed);
    await takeFiles(follower, listed);
    const { records } = await client.gone();
    await noteGone(database, records, signal);
    await noteFollowing(database, { verifiedAt });
    return;
  }
  throw new ExitError(MOVED, `${client.baseUrl} changes faster than it can be copied`);
}

/** Serves the edition that the original serves: one that the copy has, or a new one. */
async function serveEdition(
  follower: Follower,
  { manifest }: ServedManifest,
  listed: ReadonlySet<string>,
): Promise<void> {
  const { database, derived, folder, log, signal } = follower;
  const { edition } = manifest;
  const known = await findNamedEdition(database, edition.key);
  if (known) {
    await withLease(database, { signal }, (lease) => switchEdition(lease, known.id, 'switch'));
    log.info({ edition: known.id, original: edition.id }, 'serving an edition that the copy has');
    return;
  }
  removeUnlisted(follower, listed);
  const harvested = await takeEdition(follower);
  // Another one may have been published meanwhile.
  if (harvested !== edition.key) return;
  await takeFiles(follower, listed);
  const published = await publish(await openHarvested(join(folder, STORE_FILE)), {
    ...{ database, derived, signal, key: edition.key, identityUrl: undefined },
    ...{ media: follower.media, pictures: follower.pictures },
    keep: Number.MAX_SAFE_INTEGER,
    force: true,
  });
  log.info({ edition: published.edition.id, original: edition.id }, 'published a copy');
}

/**
 * Harvests what the original serves, or what changed since the harvest in the folder, and puts it in place when it is proven.
 *
 * @returns the key of its edition
 */
async function takeEdition({ folder, client, log }: Follower): Promise<string | undefined> {
  await makeFolder(folder);
  const [path, next] = [join(folder, STORE_FILE), join(folder, NEXT_FILE)];
  let held = HarvestStore.read(path);
  try {
    const since = held && readArchiveWords(held)?.mirror_of ? manifestOf(held)?.edition.id : undefined;
    const report = await harvest({
      ...client,
      path: next,
      ...(held && since !== undefined ? { update: { held, since: String(since) } } : { from: 'dumps' }),
      onEvent: (event) => log.debug(event, 'harvest'),
    });
    const { manifest_of, differences, moved, kinds } = report;
    const changes = [...moved, ...kinds.flatMap((kind) => kind.moved)];
    if (manifest_of === null || differences.length > 0 || changes.length > 0) {
      removeStore(next);
      if (changes.length > 0) throw new ExitError(MOVED, `the archive changed: ${changes.join('; ')}`);
      throw new Error(
        `what was harvested is not proven: ${differences.join('; ') || 'there is no manifest'}`,
      );
    }
    held?.[Symbol.dispose]();
    held = undefined;
    await rename(next, path);
    using store = HarvestStore.read(path);
    return store && manifestOf(store)?.edition.key;
  } finally {
    held?.[Symbol.dispose]();
  }
}

/** Copies the files that the original hosts and its editions name, and deletes those that no listed edition names. */
async function takeFiles({ folder, media, client, log }: Follower, keep: ReadonlySet<string>): Promise<void> {
  if (media === undefined) return;
  using store = HarvestStore.read(join(folder, STORE_FILE));
  await makeFolder(folder);
  await takeMedia({
    ...{ client, store, keep, folder: media, notes: join(folder, MEDIA_NOTES), pathOf: decodeMediaPath },
    edition: (store && manifestOf(store)?.edition.key) ?? '',
    onMissing: (reason) => log.warn({ reason }, 'a file is not copied'),
  });
}

/** Deletes harvests of editions that the original no longer keeps. */
function removeUnlisted({ folder }: Follower, listed: ReadonlySet<string>): void {
  for (const name of [STORE_FILE, NEXT_FILE]) {
    const path = join(folder, name);
    const store = HarvestStore.read(path);
    const key = store && manifestOf(store)?.edition.key;
    store?.[Symbol.dispose]();
    if (key !== undefined && !listed.has(key)) removeStore(path);
  }
}

function manifestOf(store: HarvestStore): ServedManifest['manifest'] | undefined {
  const text = store.text('manifest');
  return text === undefined ? undefined : JSON.parse(text);
}
