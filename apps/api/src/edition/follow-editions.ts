import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { EditionIndex } from '../derived/edition-index.ts';
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
  servedEditionId,
} from '../storage/edition.ts';
import { oneAtATime, pollEvery } from './polling.ts';

/** An edition and its search index. */
export interface OpenEdition {
  edition: Edition;
  search: EditionIndex;
}

/** Whether a server can answer, and from what. */
export interface NodeState {
  /** The database answered the last look, and the served edition's search index is open. */
  ready: boolean;
  /** Why it is not ready, in a sentence; absent where it is. */
  reason?: string;
  /** Id of the edition served now; null while there is none. */
  served: number | null;
  /** Ids of the editions that could be served at once: their search index is there. Newest first. */
  editions: number[];
}

/** Follows which edition is served. A request takes one edition at its start and answers from that alone. */
export interface EditionsInUse {
  /**
   * Looks which edition is served, opens its search index, and goes on looking.
   *
   * @throws what keeps the database from being asked, or the search index from being opened; it can be called again
   */
  start(): Promise<void>;
  /** Whether it has been started. */
  isStarted(): boolean;
  /** The edition served now; undefined while nothing has been published. */
  current(): OpenEdition | undefined;
  /** An edition that is in use at this moment: the one served now, or another that walks are pinned to. */
  inUse(named: EditionSelector): OpenEdition | undefined;
  /**
   * A kept edition, which is then in use until it is swept; undefined when it is not kept, or was never served and is
   * named by its number.
   */
  find(named: EditionSelector): Promise<OpenEdition | undefined>;
  /** All that are in use, the one served now first. */
  all(): readonly OpenEdition[];
  /** The ids of the kept editions that have been served, newest first. */
  kept(): Promise<number[]>;
  /** Whether requests can be answered at this moment, and from what. */
  state(): NodeState;
  /** Calls `listener` when no request can begin with an edition any more, and those that have begun have had their time. */
  onRetired(listener: (edition: Edition) => void): void;
  /** Looks now, instead of at the next tick. */
  refresh(): Promise<void>;
  /** Stops following, and closes every index. */
  stop(): Promise<void>;
}

/** How editions are followed. */
export interface FollowOptions {
  /** Called when an edition is about to be served in place of another; the switch waits for it. */
  beforeSwitch?: (edition: Edition) => Promise<void>;
}

/** How often the database is asked which edition it serves. */
const POLL_MILLISECONDS = 250;

/** Requests that began with an edition that is swept have done with its search index and what is kept of it by then. */
const GRACE_MILLISECONDS = 10_000;

/**
 * Follows the served edition: a newly published one is opened beside it, and takes its place when its search index is
 * open; at once where the one before is not kept any more. A held one is opened too, so that it can be served at once.
 * When the database cannot be asked, the last edition known stays; of a node of a cluster that lags behind, an earlier
 * one is not taken for a newer.
 */
export function followEditions(
  database: Database,
  files: DerivedFiles,
  log: Logger,
  { beforeSwitch = async () => {} }: FollowOptions = {},
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
      for (const tell of listeners) tell(open.edition);
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
    // While the database was asked, another request may have brought it into use; and it may have been served meanwhile.
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
    // An index that cannot be opened logs it, and tries again by itself; a failed look is followed by the next poll.
    search
      .open()
      .then(refresh)
      .catch(() => {});
  };
  const follow = async (id: number) => {
    const next = await findById(id);
    if (!next) return;
    if (!next.search.isOpen) {
      openBeside(next);
      if (!current || (await listEditionIds(database)).includes(current.edition.id)) return;
    }
    if (current) await beforeSwitch(next.edition);
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
      log.warn({ err: error }, 'files derived from editions that are not kept any more cannot be deleted');
    }
  };
  /** What can be served next is made ready: held editions, which are newer than the one served. */
  const prepareNewer = async (kept: readonly number[], served: number) => {
    for (const id of kept.filter((each) => each > served)) {
      const open = await findById(id);
      if (open) openBeside(open);
    }
  };
  /** An edition that was held may have been served, and another after it, between two looks. */
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
  /** Another database may have been put into the place of the one that was there: nothing of it is of that one. */
  const noticeArchive = async () => {
    const found = await readArchiveId(database);
    if (archive !== undefined && found !== archive) {
      log.warn({ archive: found }, 'the database holds another archive now; following that one');
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
    if (served.edition !== current?.edition.id) await follow(served.edition);
    if (served.edition === current?.edition.id) sequence = served.sequence;
    const kept = await listEditionIds(database);
    await prepareNewer(kept, served.edition);
    await noticeServed();
    retireSwept(kept);
  });
  const polling = pollEvery(POLL_MILLISECONDS, refresh, log);

  return {
    async start() {
      await refresh();
      const id = await servedEditionId(database);
      if (id !== undefined) await opened(id)?.search.open();
      await refresh();
      started = true;
      polling.start();
    },
    isStarted: () => started,
    current: () => current,
    inUse,
    find,
    all,
    kept: () => listServedEditionIds(database),
    state: () => ({
      ...describeReadiness(),
      served: current?.edition.id ?? null,
      editions: all()
        .filter(({ search }) => search.isOpen)
        .map(({ edition }) => edition.id)
        .sort((a, b) => b - a),
    }),
    onRetired: (listener) => listeners.push(listener),
    refresh,
    async stop() {
      await polling.stop();
      for (const timeout of retired.values()) clearTimeout(timeout);
      await Promise.all([...all(), ...retired.keys()].map(({ search }) => search.close()));
    },
  };

  function describeReadiness(): Pick<NodeState, 'ready' | 'reason'> {
    if (!started) return { ready: false, reason: 'the server is starting' };
    if (polling.isFailing()) return { ready: false, reason: 'the database did not answer the last look' };
    if (!current) return { ready: false, reason: 'nothing has been published yet' };
    if (!current.search.isOpen)
      return { ready: false, reason: 'the search index of the served edition is not open' };
    return { ready: true };
  }
}

/** A name that was not found gets a second look no more than once in this time, whoever asks. */
const AGAIN_MILLISECONDS = 1_000;

/** Names that are remembered as not found. */
const MOST_MISSING = 1_000;

/** Codes of servers that know no causality checks: MySQL, and MariaDB without Galera. */
const UNKNOWN_TO_SERVER = new Set([
  'ER_UNKNOWN_SYSTEM_VARIABLE',
  'ER_PARSE_ERROR',
  'ER_SET_STATEMENT_NOT_SUPPORTED',
]);

/**
 * Looks kept editions up. One that is not there is looked for once more: behind a balancer another server may have
 * named it already, whose node of the database is ahead of this one's. On Galera the second look waits until this node
 * has what all had when it was asked. Names that are made up do not wait: each gets a second look once a second at most.
 */
function createEditionLookUp(database: Database): (named: EditionSelector) => Promise<Edition | undefined> {
  const missing = new LRUCache<EditionSelector, true>({ max: MOST_MISSING, ttl: AGAIN_MILLISECONDS });
  let canWait = !isSqlite(database);

  const findInStep = async (named: EditionSelector): Promise<Edition | undefined> => {
    if (!canWait) return await findNamedEdition(database, named);
    try {
      const column = typeof named === 'number' ? 'id' : 'key';
      const [rows = []]: { id: number }[][] = await database.raw(
        "set statement wsrep_sync_wait = 1 for select id from editions where ?? = ? and status = 'published'",
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
