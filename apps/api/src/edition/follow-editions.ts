import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { EditionIndex } from '../derived/edition-index.ts';
import type { Database } from '../storage/connect.ts';
import {
  type Edition,
  type EditionSelector,
  findNamedEdition,
  listEditions,
  readArchiveId,
  readServed,
  type Served,
} from '../storage/edition.ts';
import { confirmCurrent } from '../storage/mysql-client.ts';

/** An edition and its search index. */
export interface OpenEdition {
  edition: Edition;
  search: EditionIndex;
}

/** Whether a server is ready, and which editions it has open. */
export interface NodeState {
  /** The last poll of the database succeeded, and the search index of the served edition is open. */
  ready: boolean;
  /** Why it is not ready; absent if it is. */
  reason?: string;
  /** Id of the served edition; null if none, or while the server is starting. */
  served: number | null;
  /** Ids of the editions whose search index is open, newest first: these can be served at once. */
  editions: number[];
}

/** Tracks the served edition: see `followEditions`. */
export type EditionsInUse = ReturnType<typeof followEditions>;

/** Options of `followEditions`. */
export interface FollowOptions {
  /** Milliseconds from the moment at which an edition is served in the database to a switch to it, at least; 0 by default. */
  switchMilliseconds?: number;
  /** Milliseconds after which a server that cannot confirm that its database is current stops responding; off by default. */
  maxStale?: number | undefined;
}

/** Interval of the polls of the database. */
const POLL_MILLISECONDS = 250;

/** Grace period for requests of a swept edition, before its search index and cached entries are dropped. */
const GRACE_MILLISECONDS = 10_000;

/**
 * Tracks the served edition. A request gets one edition at its start, and uses only that one. A new one is opened in the background, and served when its search index is open, or at once if
 * there is none before it that is kept. Held editions are opened too, so that they can be served at once. If the database is
 * unavailable, the last known edition stays; an older state, from a lagging node of a cluster, is ignored.
 */
export function followEditions(
  database: Database,
  files: DerivedFiles,
  log: Logger,
  { switchMilliseconds = 0, maxStale }: FollowOptions = {},
) {
  let archive: string | undefined;
  let sequence = Number.NEGATIVE_INFINITY;
  let started = false;
  const open = new Map<number, OpenEdition>();
  let current: OpenEdition | undefined;
  const retiring: Promise<void>[] = [];
  const listeners: ((edition: Edition) => void)[] = [];
  const ending = new AbortController();
  /** Whether it was stopped during a pause. */
  const pause = (milliseconds: number): Promise<boolean> =>
    sleep(milliseconds, false, { ref: false, signal: ending.signal }).catch(() => true);

  const all = (): readonly OpenEdition[] => [...open.values()];
  /** An open edition: the served one, or another that requests have named. */
  const inUse = (named: EditionSelector): OpenEdition | undefined => {
    if (typeof named === 'string') return all().find(({ edition }) => edition.key === named);
    const found = open.get(named);
    return found?.edition.isHeld ? undefined : found;
  };

  const retire = async ({ edition, search }: OpenEdition) => {
    if (!(await pause(GRACE_MILLISECONDS))) for (const listener of listeners) listener(edition);
    await search.close();
  };
  /**
   * Opens a kept edition, which then stays open until it is swept; undefined if it is not kept, or is held and named by its
   * number.
   */
  const find = async (named: EditionSelector): Promise<OpenEdition | undefined> => {
    const known = inUse(named);
    if (known) return known;
    const edition = await findNamedEdition(database, named);
    return edition && use(edition);
  };
  /** Opens an edition, unless it is open. It may have been served since it was. */
  const use = (edition: Edition): OpenEdition => {
    const known = open.get(edition.id);
    if (known) known.edition.isHeld &&= edition.isHeld;
    const used = known ?? { edition, search: files.open(edition, log) };
    open.set(edition.id, used);
    return used;
  };
  /** Opens an index for the next poll. It logs failures itself, and when to try again. */
  const openBeside = ({ search }: OpenEdition) => {
    search.open().catch(() => {});
  };
  const follow = async (next: OpenEdition, { at }: Served, kept: ReadonlySet<number>) => {
    openBeside(next);
    // Without another edition to serve meanwhile, it is served without search.
    if (!next.search.opened && current && kept.has(current.edition.id)) return;
    // Not longer, because the clocks of two machines may differ.
    const delay = Math.min(at.getTime() + switchMilliseconds - Date.now(), switchMilliseconds);
    if (current && delay > 0 && (await pause(delay))) return;
    current = next;
    next.edition.isHeld = false;
    log.info({ edition: next.edition.id, records: next.edition.total }, 'serving edition');
    await files.sweep().catch((error: unknown) => {
      log.warn({ err: error }, 'the derived files of swept editions cannot be deleted');
    });
  };
  const retireSwept = (kept: ReadonlySet<number>) => {
    for (const [id, swept] of open) {
      if (kept.has(id) || swept === current) continue;
      open.delete(id);
      retiring.push(retire(swept));
      log.info({ edition: id }, 'edition is no longer kept');
    }
  };
  /** The database may have been replaced by that of another archive: then nothing of the old one is valid. */
  const noticeArchive = async () => {
    const found = await readArchiveId(database);
    if (archive !== undefined && found !== archive) {
      log.warn({ archive: found }, 'the database now contains another archive; switching to it');
      retiring.push(...all().map(retire));
      open.clear();
      current = undefined;
      sequence = Number.NEGATIVE_INFINITY;
    }
    archive = found;
  };
  const readEditions = async () => {
    await noticeArchive();
    const served = await readServed(database);
    if (!served || served.sequence < sequence) return;
    const editions = await listEditions(database);
    const kept = new Set(editions.map(({ id }) => id));
    if (current) openBeside(current);
    for (const edition of editions) {
      // Newer ones are held: they can be served at once when their index is open.
      if (edition.id > served.edition) openBeside(use(edition));
      else if (open.has(edition.id)) use(edition);
    }
    const next = editions.find(({ id }) => id === served.edition);
    if (next && next.id !== current?.edition.id) await follow(use(next), served, kept);
    if (served.edition === current?.edition.id) sequence = served.sequence;
    // After the switch: the edition that was served until now may be swept already.
    retireSwept(kept);
  };
  let lastRefresh = Promise.resolve();
  let nextRefresh: Promise<void> | undefined;
  /** Reads the editions, one call at a time: calls meanwhile share the next run, so that they see the latest state. */
  const refresh = (): Promise<void> => {
    nextRefresh ??= lastRefresh
      .catch(() => {})
      .then(() => {
        nextRefresh = undefined;
        lastRefresh = readEditions();
        return lastRefresh;
      });
    return nextRefresh;
  };

  /** The latest time at which the database had all that was written, as far as is known. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let doubt = '';
  let isFailing = false;
  /** Whether it has not been confirmed for `maxStale` that the database is current: then nothing may be served. */
  const isStale = () => maxStale !== undefined && performance.now() - confirmedAt > maxStale;
  const poll = async () => {
    try {
      const asked = performance.now();
      const behind = maxStale === undefined ? 0 : await confirmCurrent(database);
      // What was confirmed has to be served, too.
      await refresh();
      confirmedAt = Math.max(confirmedAt, asked - behind);
      doubt = behind > 0 ? `it is ${behind / 1_000} s behind` : 'it has not answered since';
      if (isFailing) log.info('the database is available again');
      isFailing = false;
    } catch (error) {
      doubt = error instanceof Error ? error.message : String(error);
      if (!isFailing)
        log.error(
          { err: error },
          'the last poll of the database failed; still serving the last known edition',
        );
      isFailing = true;
    }
  };
  const keepPolling = async () => {
    while (!(await pause(POLL_MILLISECONDS))) await poll();
  };
  let polling = Promise.resolve();

  return {
    /**
     * Opens the served edition and its search index, and starts polling. A missing index is built afterwards.
     *
     * @throws the error of the database or the search index; it can be called again
     */
    async start(): Promise<void> {
      await refresh();
      await current?.search.begin();
      await poll();
      started = true;
      polling = keepPolling();
    },
    isStarted: () => started,
    /** Whether the last poll of the database succeeded. */
    isReached: () => started && !isFailing,
    isStale,
    /** The served edition; undefined if nothing has been published. */
    current: () => current,
    inUse,
    find,
    /** All open editions. */
    all,
    /** The kept editions that are not held, newest first. */
    kept: async () => (await listEditions(database)).filter(({ isHeld }) => !isHeld),
    /** The current state, for `/health` and `/ready`. */
    state(): NodeState {
      const reason = whyNotReady();
      const opened = all().flatMap(({ edition, search }) => (search.opened ? edition.id : []));
      return {
        ready: reason === undefined,
        ...(reason !== undefined && { reason }),
        served: (started && current?.edition.id) || null,
        editions: opened.sort((a, b) => b - a),
      };
    },
    /** Calls `listener` when an edition has been swept, after a grace period for its requests. */
    onRetired: (listener: (edition: Edition) => void) => listeners.push(listener),
    refresh,
    /** Stops polling, and closes every index. */
    async stop(): Promise<void> {
      ending.abort();
      await polling;
      await Promise.all([...all().map(({ search }) => search.close()), ...retiring]);
    },
  };

  function whyNotReady(): string | undefined {
    if (!started) return 'the server is starting';
    if (isStale()) return `it is not confirmed that the database is current: ${doubt}`;
    if (isFailing) return 'the last query of the database failed';
    if (!current) return 'nothing has been published yet';
    return current.search.opened ? undefined : 'the search index of the served edition is not open';
  }
}
