import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { EditionIndex } from '../derived/edition-index.ts';
import { CAUSALLY, confirmCurrent } from '../storage/confirm-current.ts';
import { type Database, isSqlite } from '../storage/connect.ts';
import {
  type Edition,
  type EditionSelector,
  findEdition,
  findNamedEdition,
  listEditionIds,
  listServedEditionIds,
  readArchiveId,
  readServed,
  type Served,
} from '../storage/edition.ts';
import { oneAtATime, pollEvery } from './polling.ts';

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

/** Tracks the served edition. A request gets one edition at its start, and uses only that one. */
export interface EditionsInUse {
  /**
   * Opens the served edition and its search index, and starts polling. A missing index is built afterwards.
   *
   * @throws the error of the database or the search index; it can be called again
   */
  start(): Promise<void>;
  /** Whether it has been started. */
  isStarted(): boolean;
  /** Whether the last poll of the database succeeded. */
  isReached(): boolean;
  /** The served edition; undefined if nothing has been published. */
  current(): OpenEdition | undefined;
  /** An open edition: the served one, or another that requests have named. */
  inUse(named: EditionSelector): OpenEdition | undefined;
  /**
   * Opens a kept edition, which then stays open until it is swept; undefined if it is not kept, or is held and named by its
   * number.
   */
  find(named: EditionSelector): Promise<OpenEdition | undefined>;
  /** All open editions, the served one first. */
  all(): readonly OpenEdition[];
  /** The ids of the kept editions that are not held, newest first. */
  kept(): Promise<number[]>;
  /** Whether it has not been confirmed for `maxStale` that the database is current: then nothing may be served. */
  isStale(): boolean;
  /** The current state, for `/health` and `/ready`. */
  state(): NodeState;
  /** Calls `listener` when an edition has been swept, after a grace period for its requests. */
  onRetired(listener: (edition: Edition) => void): void;
  /** Polls now. */
  refresh(): Promise<void>;
  /** Stops polling, and closes every index. */
  stop(): Promise<void>;
}

/** Options of `followEditions`. */
export interface FollowOptions {
  /** Milliseconds from the moment at which an edition is served in the database to a switch to it, at least; 0 by default. */
  switchMilliseconds?: number;
  /** Milliseconds after which a server that cannot confirm that its database is current stops responding; off by default. */
  maxStale?: number | undefined;
}

/** Longest interval between two confirmations that the database is current. */
const CONFIRM_MILLISECONDS = 1_000;

/** Why it is not confirmed that the database is current, until it answers. */
const NO_ANSWER = 'it has not answered yet';

/** Interval of the polls of the database. */
const POLL_MILLISECONDS = 250;

/** Grace period for requests of a swept edition, before its search index and cached entries are dropped. */
const GRACE_MILLISECONDS = 10_000;

/**
 * Tracks the served edition. A new one is opened in the background, and served when its search index is open, or at once if
 * there is none before it that is kept. Held editions are opened too, so that they can be served at once. If the database is
 * unavailable, the last known edition stays; an older state, from a lagging node of a cluster, is ignored.
 */
export function followEditions(
  database: Database,
  files: DerivedFiles,
  log: Logger,
  { switchMilliseconds = 0, maxStale }: FollowOptions = {},
): EditionsInUse {
  let archive: string | undefined;
  let sequence = Number.NEGATIVE_INFINITY;
  let started = false;
  let current: OpenEdition | undefined;
  const others = new Map<number, OpenEdition>();
  const retired = new Map<OpenEdition, NodeJS.Timeout>();
  const listeners: ((edition: Edition) => void)[] = [];
  const lookUp = createEditionLookUp(database);

  const all = () => [...(current ? [current] : []), ...others.values()];
  const opened = (id: number) => (current?.edition.id === id ? current : others.get(id));
  const inUse = (named: EditionSelector) => {
    if (typeof named === 'string') return all().find(({ edition }) => edition.key === named);
    const open = opened(named);
    return open?.edition.isHeld ? undefined : open;
  };

  const retire = (open: OpenEdition) => {
    const close = () => {
      retired.delete(open);
      for (const listener of listeners) listener(open.edition);
      void open.search.close();
    };
    retired.set(open, setTimeout(close, GRACE_MILLISECONDS).unref());
  };
  const find = async (named: EditionSelector): Promise<OpenEdition | undefined> => {
    const known = inUse(named);
    if (known) return known;
    const edition = await lookUp(named);
    return edition && use(edition);
  };
  const findById = async (id: number): Promise<OpenEdition | undefined> => {
    const known = opened(id);
    if (known) return known;
    const edition = await findEdition(database, id);
    return edition && use(edition);
  };
  const use = (edition: Edition): OpenEdition => {
    // Another request may have opened it during the query; and it may have been served meanwhile.
    const known = opened(edition.id);
    if (known) {
      known.edition.isHeld &&= edition.isHeld;
      return known;
    }
    const open = { edition, search: files.open(edition, log) };
    others.set(edition.id, open);
    return open;
  };
  const openBeside = ({ search }: OpenEdition) => {
    if (search.isOpen) return;
    // The index logs and retries failures itself; a failed refresh is repeated by the next poll.
    search
      .open()
      .then(refresh)
      .catch(() => {});
  };
  const follow = async ({ edition: id, at }: Served) => {
    const next = await findById(id);
    if (!next) return;
    if (!next.search.isOpen) {
      openBeside(next);
      // Without another edition to serve meanwhile, it is served without search.
      if (current && (await listEditionIds(database)).includes(current.edition.id)) return;
    }
    // Not longer, because the clocks of two machines may differ.
    const delay = Math.min(at.getTime() + switchMilliseconds - Date.now(), switchMilliseconds);
    if (current && delay > 0) await sleep(delay);
    switchTo(next);
    await sweepFiles();
  };
  const switchTo = (next: OpenEdition) => {
    const { id, total } = next.edition;
    if (current) others.set(current.edition.id, current);
    others.delete(id);
    current = next;
    next.edition.isHeld = false;
    log.info({ edition: id, records: total }, 'serving edition');
  };
  const sweepFiles = async () => {
    try {
      await files.sweep();
    } catch (error) {
      log.warn({ err: error }, 'the derived files of swept editions cannot be deleted');
    }
  };
  /** Opens editions newer than the served one, which are held, so that they can be served at once. */
  const prepareNewer = async (kept: readonly number[], served: number) => {
    for (const id of kept.filter((each) => each > served)) {
      const open = await findById(id);
      if (open) openBeside(open);
    }
  };
  /** Between two polls, a held edition may have been served, and another one after it. */
  const noticeServed = async () => {
    const held = all().filter(({ edition }) => edition.isHeld);
    if (held.length === 0) return;
    const served = await listServedEditionIds(database);
    for (const { edition } of held) if (served.includes(edition.id)) edition.isHeld = false;
  };
  const retireSwept = (kept: readonly number[]) => {
    for (const [id, open] of others) {
      if (kept.includes(id)) continue;
      others.delete(id);
      retire(open);
      log.info({ edition: id }, 'edition is no longer kept');
    }
  };
  /** The database may have been replaced by that of another archive: then nothing of the old one is valid. */
  const noticeArchive = async () => {
    const found = await readArchiveId(database);
    if (archive !== undefined && found !== archive) {
      log.warn({ archive: found }, 'the database now contains another archive; switching to it');
      for (const open of all()) retire(open);
      others.clear();
      current = undefined;
      sequence = Number.NEGATIVE_INFINITY;
    }
    archive = found;
  };
  const refresh = oneAtATime(async () => {
    await noticeArchive();
    const served = await readServed(database);
    if (!served || served.sequence < sequence) return;
    if (served.edition !== current?.edition.id) await follow(served);
    if (served.edition === current?.edition.id) sequence = served.sequence;
    const kept = await listEditionIds(database);
    await prepareNewer(kept, served.edition);
    await noticeServed();
    retireSwept(kept);
  });
  const polling = pollEvery(POLL_MILLISECONDS, refresh, log, {
    failing: 'cannot read which edition is served; still serving the last known one',
    recovered: 'the database is available again',
  });

  /** The latest time at which the database had all that was written, as far as is known. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let doubt = NO_ANSWER;
  const isUnconfirmedFor = (milliseconds: number) => performance.now() - confirmedAt > milliseconds;
  const isStale = () => maxStale !== undefined && isUnconfirmedFor(maxStale);
  const confirm = async () => {
    try {
      const asked = performance.now();
      const behind = await confirmCurrent(database);
      // What was confirmed has to be served, too.
      await refresh();
      confirmedAt = Math.max(confirmedAt, asked - behind);
      doubt = behind > 0 ? `it is ${behind / 1_000} s behind` : NO_ANSWER;
    } catch (error) {
      doubt = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };
  const confirming =
    maxStale === undefined
      ? undefined
      : pollEvery(Math.min(CONFIRM_MILLISECONDS, maxStale / 4), confirm, log, {
          failing: 'cannot confirm that the database is current; nothing is served after MAX_STALE',
          recovered: 'the database is current again',
        });

  return {
    async start() {
      await refresh();
      await current?.search.begin();
      // A failure is repeated, and logged, by the next poll.
      if (maxStale !== undefined) await confirm().catch(() => {});
      started = true;
      polling.start();
      confirming?.start();
    },
    isStarted: () => started,
    isReached: () => started && !polling.isFailing(),
    isStale,
    current: () => current,
    inUse,
    find,
    all,
    kept: () => listServedEditionIds(database),
    state: () => ({
      ...describeReadiness(),
      served: (started && current?.edition.id) || null,
      editions: all()
        .filter(({ search }) => search.isOpen)
        .map(({ edition }) => edition.id)
        .sort((a, b) => b - a),
    }),
    onRetired: (listener) => listeners.push(listener),
    refresh,
    async stop() {
      await Promise.all([polling.stop(), confirming?.stop()]);
      for (const timeout of retired.values()) clearTimeout(timeout);
      await Promise.all([...all(), ...retired.keys()].map(({ search }) => search.close()));
    },
  };

  function describeReadiness(): Pick<NodeState, 'ready' | 'reason'> {
    if (!started) return { ready: false, reason: 'the server is starting' };
    if (isStale())
      return { ready: false, reason: `it is not confirmed that the database is current: ${doubt}` };
    if (polling.isFailing()) return { ready: false, reason: 'the last query of the database failed' };
    if (!current) return { ready: false, reason: 'nothing has been published yet' };
    if (!current.search.isOpen)
      return { ready: false, reason: 'the search index of the served edition is not open' };
    return { ready: true };
  }
}

/** Minimum interval between second lookups of the same missing edition. */
const AGAIN_MILLISECONDS = 1_000;

/** Limit of cached missing editions. */
const MOST_MISSING = 1_000;

/** Error codes of servers without causality checks: MySQL, and MariaDB without Galera. */
const UNKNOWN_TO_SERVER = new Set([
  'ER_UNKNOWN_SYSTEM_VARIABLE',
  'ER_PARSE_ERROR',
  'ER_SET_STATEMENT_NOT_SUPPORTED',
]);

/**
 * Looks up kept editions. A missing one is looked up a second time, because behind a load balancer another server may have
 * named it, with a database node that is ahead of this one. On Galera, the second lookup waits until this node has caught
 * up. It happens at most once per second for each name, so that made-up names cannot cause waits.
 */
function createEditionLookUp(database: Database): (named: EditionSelector) => Promise<Edition | undefined> {
  const missing = new LRUCache<EditionSelector, true>({ max: MOST_MISSING, ttl: AGAIN_MILLISECONDS });
  let canWait = !isSqlite(database);

  const findInStep = async (named: EditionSelector): Promise<Edition | undefined> => {
    if (!canWait) return await findNamedEdition(database, named);
    try {
      const column = typeof named === 'number' ? 'id' : 'key';
      const [rows = []]: { id: number }[][] = await database.raw(
        `${CAUSALLY} select id from editions where ?? = ? and status = 'published'`,
        [column, named],
      );
      return rows.length > 0 ? await findNamedEdition(database, named) : undefined;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!UNKNOWN_TO_SERVER.has(code)) throw error;
      canWait = false;
      return await findNamedEdition(database, named);
    }
  };

  return async (named) => {
    const edition = await findNamedEdition(database, named);
    if (edition || missing.has(named)) return edition;
    const arrived = await findInStep(named);
    if (!arrived) missing.set(named, true);
    return arrived;
  };
}
