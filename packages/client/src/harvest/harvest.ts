import { dirname } from 'node:path';
import { makeFolder } from '@archiefkast/system';
import { forKinds, KINDS, type Kind, kindOfCollection } from '@archiefkast/types';
import { withParameter } from '../client-options.ts';
import { contractSchemas } from '../contract-schemas.ts';
import { dumpOf, readManifest } from '../dumps.ts';
import { FolderError, StatusError } from '../errors.ts';
import { createRecordList } from '../listing.ts';
import { type Connection, connect } from '../request/request.ts';
import { storeArchiveWords } from './archive-words.ts';
import { compareManifest } from './content-hash.ts';
import { isRefusal, takeChanges } from './from-changes.ts';
import { takeDumps, takeSupplement } from './from-dumps.ts';
import type { HarvestOptions, RunningHarvest } from './harvest-options.ts';
import { type HarvestReport, isUnmoved } from './harvest-report.ts';
import { HarvestStore } from './store.ts';
import type { Walk } from './store-schema.ts';
import { forAllKinds, restart, walkKind } from './walk-kind.ts';

const WAYS: Readonly<Record<Walk['from'], (running: RunningHarvest) => Promise<void>>> = {
  pages: walkKinds,
  dumps: takeDumps,
  changes: takeChanges,
};

/** Maximum number of restarts because the edition is no longer served. */
const MOST_EDITIONS = 3;

/**
 * Walks all pages of some kinds into a store, from which files can be made, and adds what the archive says of itself and what its
 * records cannot say. An interrupted harvest resumes; a complete one only checks whether the last pages are unchanged. All requests
 * pass through one limiter.
 *
 * @returns what was read, and how the archive changed meanwhile
 * @throws FolderError if the store contains another harvest, is damaged, or another process writes it; RequestError if a
 *   request fails; NextError if a link is refused; OptionError if an option is invalid; the reason of the signal
 */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  const { kinds = KINDS, path, update, pagesAtOnce = 1, onEvent = () => {} } = options;
  const { held, since } = update ?? {};
  const from: Walk['from'] = options.from ?? (since === undefined ? 'pages' : 'changes');
  const efforts = forKinds(() => ({ retries: 0, waited_ms: 0 }));
  const connection = connect({
    ...options,
    schemas: contractSchemas,
    onNotice(notice) {
      const [, collection = ''] = /([a-z]+)(?:\.jsonl)?$/.exec(new URL(notice.url).pathname) ?? [];
      const kind = kindOfCollection(collection);
      // The manifest, the index and the feed of changes are of no kind.
      if (kind && notice.type === 'retry') efforts[kind].retries += 1;
      if (kind && notice.type === 'waited') efforts[kind].waited_ms += notice.waitMs;
      onEvent(notice);
    },
  });
  const { baseUrl: source, language } = connection;
  const asked = { source, language, kinds: [...kinds], from };
  const begun = readWalk(path) ?? (await beginWalk(connection, asked, update));
  assertSameWalk(dirname(path), begun, asked);
  await makeFolder(dirname(path));
  using store = HarvestStore.open(path);
  // Another process may have begun one since.
  const { walk = begun } = store;
  if (options.note !== undefined) store.setText('note', options.note);
  store.walk = walk;
  for (const kind of walk.kinds) {
    const { retries = 0, waited_ms = 0 } = store.lastPage(kind) ?? {};
    efforts[kind].retries += retries;
    efforts[kind].waited_ms += waited_ms;
  }
  const walked = await walkToTheEnds({ connection, pagesAtOnce, store, held, walk, onEvent, efforts });
  return { ...walked, ...(await takeRest(connection, store, walked, held)) };
}

/** What a walk reports. */
type WalkReport = Omit<HarvestReport, 'manifest_of' | 'differences'>;

/**
 * Stores what the archive says of itself, what its records cannot say, and the manifest of the edition, with which the records
 * are compared.
 */
async function takeRest(
  connection: Connection,
  store: HarvestStore,
  walked: WalkReport,
  held: HarvestStore | undefined,
): Promise<Pick<HarvestReport, 'manifest_of' | 'differences'>> {
  const { served_edition: edition } = walked;
  const isWhole = isUnmoved(walked);
  // An update of an archive that moved is not kept.
  if (held && !isWhole) return { manifest_of: null, differences: [] };
  const offered = edition === null || !isWhole ? undefined : await readManifest(connection, edition);
  const served = String(offered?.manifest.edition.id) === edition ? offered : undefined;
  if (served) await takeSupplement(connection, served, store);
  const kinds = walked.kinds.map(({ kind }) => kind);
  const differences = served && compareManifest(served.manifest, kinds, store);
  store.setText('manifest', differences && served.text);
  if (served) {
    const isProven = differences?.length === 0 && kinds.length === KINDS.length;
    storeArchiveWords(served.manifest, store, held, isProven);
  }
  return { manifest_of: differences ? edition : null, differences: differences ?? [] };
}

/** The fields that must be equal to resume a harvest; without `from`, however it is harvested. */
type WalkIdentity = Pick<Walk, 'source' | 'language' | 'kinds'> & Partial<Pick<Walk, 'from'>>;

/**
 * Checks that a folder contains the requested harvest.
 *
 * @throws FolderError naming the difference
 */
export function assertSameWalk(folder: string, existing: WalkIdentity, requested: WalkIdentity): void {
  for (const name of ['source', 'language', 'kinds'] as const) {
    const before = String(existing[name]);
    const now = String(requested[name]);
    if (before === now) continue;
    throw new FolderError(
      `${folder} contains a harvest with ${name} ${before}, not ${now}; harvest into another folder`,
    );
  }
  const isSameWay = requested.from === 'changes' || existing.from === requested.from;
  if (requested.from !== undefined && !isSameWay) {
    throw new FolderError(
      `${folder} contains an unfinished harvest from ${existing.from}; finish it the same way, or harvest into another folder`,
    );
  }
}

/** The walk in a store; undefined if it has not begun. */
function readWalk(path: string): Walk | undefined {
  using store = HarvestStore.read(path);
  return store?.walk;
}

/**
 * A new walk, of one edition if possible; of pages if a feed of changes could not be verified. Events are abbreviated if the server
 * offers that, and what they would embed is harvested too.
 */
async function beginWalk(
  connection: Connection,
  { from, ...asked }: Omit<Walk, 'edition' | 'started_at' | 'events'>,
  { held, since }: Partial<HarvestOptions['update']> = {},
): Promise<Walk> {
  const { kinds } = asked;
  const way = from === 'dumps' ? from : 'pages';
  const found = from === 'pages' ? await findEdition(connection, kinds, way) : undefined;
  // Another server may answer anything where it has no manifest.
  const served = found?.named === null ? undefined : await readManifest(connection, found?.named);
  const isWhole = (['event', 'person', 'location'] as const).every((kind) => kinds.includes(kind));
  const isOffered = isWhole && served && dumpOf(served.manifest, 'event', 'abbreviated');
  const events = isOffered ? 'abbreviated' : 'full';
  const begun = { ...asked, events, started_at: new Date().toISOString() } as const;
  const isListed = (kind: Kind) => served && dumpOf(served.manifest, kind, events);
  if (from === 'changes' && held?.events === events && served && kinds.every(isListed))
    return { ...begun, from, since, edition: String(served.manifest.edition.id) };
  const { pinned } = found ?? (await findEdition(connection, kinds, way));
  return { ...begun, from: way, edition: pinned };
}

/** Walks all kinds of one edition; starts again with a newer one if it is no longer served. */
async function walkToTheEnds(running: RunningHarvest): Promise<WalkReport> {
  const { connection, store, onEvent } = running;
  for (let editions = 1; ; editions += 1) {
    const { since: _, ...walk } = running.walk;
    if (walk.edition !== null) onEvent({ type: 'pinned', edition: walk.edition });
    let reason = 'its changes cannot be used';
    try {
      await WAYS[walk.from](running);
      return createReport(store);
    } catch (error) {
      if (walk.from === 'changes' && isRefusal(error)) {
        onEvent({ type: 'changes-refused', reason: error.message });
        walk.from = 'pages';
      } else {
        const isGone = error instanceof StatusError && error.status === 410;
        if (walk.edition === null || !isGone || editions === MOST_EDITIONS) throw error;
        onEvent({ type: 'edition-gone', edition: walk.edition });
        reason = `edition ${walk.edition} is no longer served`;
      }
    }
    walk.edition = (await findEdition(connection, walk.kinds, walk.from)).pinned;
    for (const kind of walk.kinds) store.begin(kind, reason);
    running.walk = walk;
    store.walk = walk;
  }
}

/**
 * Finds the edition that the server names, and the one that a harvest can be pinned to: the one of the dumps or, for pages, the named
 * one, if the `next` links keep it.
 *
 * @returns null if the server does not support that; to pin, also if no kind has a second page
 */
async function findEdition(connection: Connection, kinds: readonly Kind[], from: Walk['from']) {
  if (from === 'dumps') {
    const served = await readManifest(connection);
    const edition = served ? String(served.manifest.edition.id) : null;
    return { named: edition, pinned: edition };
  }
  let named: string | null = null;
  for (const kind of kinds) {
    const list = createRecordList(connection, kind);
    const { edition } = await list.readPage(list.url);
    named = edition;
    if (edition === null) break;
    const { next } = await list.readPage(withParameter(list.url, 'edition', edition));
    if (next === null) continue;
    const isKept = new URL(next).searchParams.get('edition') === edition;
    return { named, pinned: isKept ? edition : null };
  }
  return { named, pinned: null };
}

/**
 * Walks all kinds in parallel, and again those that are inconsistent with the others. The first failure aborts all.
 */
async function walkKinds(running: RunningHarvest): Promise<void> {
  const { store, walk } = running;
  await forAllKinds(running, walkKind);
  const again = [...disagreements(store, walk.kinds)].filter(([kind]) => !store.kindWalk(kind)?.tolerant);
  for (const [kind, reason] of again) restart(running, kind, reason, true);
  if (again.length > 0) await forAllKinds(running, walkKind);
}

/**
 * Compares the editions and totals of finished walks. The walk that finished last is taken as correct; if all four kinds
 * were walked, their counts must add up to the total.
 *
 * @returns kinds that are inconsistent with the others, each with the reason as a sentence
 */
function disagreements(store: HarvestStore, kinds: readonly Kind[]): Map<Kind, string> {
  const found = new Map<Kind, string>();
  const walked = kinds.flatMap((kind) => {
    const [page, finishedAt] = [store.lastPage(kind), store.kindWalk(kind)?.finished_at];
    return page && finishedAt ? [{ kind, finishedAt, page }] : [];
  });
  const last = walked.toSorted((a, b) => a.finishedAt.localeCompare(b.finishedAt)).at(-1);
  if (!last) return found;
  for (const { kind, page } of walked) {
    for (const name of ['edition', 'total'] as const) {
      if (page[name] === last.page[name]) continue;
      const [is, other] = [page[name] ?? 'none', last.page[name] ?? 'none'];
      found.set(kind, `its ${name} is ${is}, but the ${last.kind} list has ${other}`);
    }
  }
  if (found.size > 0 || walked.length < KINDS.length) return found;
  const sum = walked.reduce((records, { page }) => records + page.count, 0);
  if (sum === last.page.total) return found;
  const reason = `the counts of all kinds add up to ${sum}, the total is ${last.page.total}`;
  return new Map(walked.map(({ kind }) => [kind, reason]));
}

/** Reports the walk in a store. @throws FolderError if none has begun, or the store is damaged */
export function createReport(store: HarvestStore): WalkReport {
  const { walk } = store;
  if (!walk) throw new FolderError(`${store.path} contains no harvest`);
  const editions = new Set<string | null>();
  const finishes = [walk.started_at];
  const kinds = walk.kinds.map((kind) => {
    const own = store.kindWalk(kind);
    const [first, last] = [store.lastPage(kind, 1), store.lastPage(kind)];
    if (first && last) editions.add(first.edition).add(last.edition);
    if (own?.finished_at) finishes.push(own.finished_at);
    const { rows, unique } = store.count(kind);
    return {
      kind,
      pages: last?.page ?? 0,
      rows,
      unique_uuids: unique,
      count: last?.count ?? 0,
      total_at_start: first?.total ?? 0,
      total_at_end: last?.total ?? 0,
      retries: last?.retries ?? 0,
      seconds_waited: (last?.waited_ms ?? 0) / 1000,
      walked_again: own?.reason ?? '',
      moved: [...store.listed(kind, 'moved'), ...(own?.moved ?? [])],
    };
  });
  const [served_edition = null] = editions.size === 1 ? editions : [];
  return {
    source: walk.source,
    language: walk.language,
    edition: walk.edition,
    served_edition,
    started: walk.started_at,
    finished: finishes.toSorted().at(-1) ?? walk.started_at,
    kinds,
    moved: [...disagreements(store, walk.kinds)].map(([kind, reason]) => `${kind}: ${reason}`),
  };
}
