import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { Database } from '../storage/connect.ts';
import {
  type Edition,
  type EditionSelector,
  findNamedEdition,
  findServed,
  listEditions,
} from '../storage/edition.ts';
import { findSwitch } from '../storage/history.ts';
import { type Following, OtherSchemaError, readArchive } from '../storage/schema.ts';
import { createCurrentness } from './currentness.ts';
import { createOpenEditions, type OpenEdition } from './open-editions.ts';

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
  /** Of a copy that follows its original: when it was last verified, and why that is no longer so. It is ready all the same. */
  mirror?: { verified_at: string; fault: string | null };
}

/** Tracks the served edition: see `followEditions`. */
export type EditionsInUse = ReturnType<typeof followEditions>;

/** Interval of the polls of the database. */
const POLL_MILLISECONDS = 250;

/**
 * Tracks the served edition. A request gets one edition at its start, and uses only that one. A new one is opened in the background,
 * and served when its search index is open, or at once if there is none before it that is kept. The newest held edition is opened
 * too, so that it can be served at once. What is no longer kept leaves memory and DERIVED_DIR, also before the first edition is
 * served. If the database is unavailable, the last known edition stays; an older state, from a lagging node of a cluster, is ignored.
 *
 * @param config.maxStale milliseconds after which a server that cannot confirm that its database is current stops responding
 * @param config.maxMirrorAge milliseconds after which a copy that could not be verified stops responding
 */
export function followEditions(
  database: Database,
  files: DerivedFiles,
  log: Logger,
  { maxStale, maxMirrorAge }: Partial<Pick<Config, 'maxStale' | 'maxMirrorAge'>> = {},
) {
  let archive: string | undefined;
  let following: Following | undefined;
  const mirrorAge = () => (following ? Math.max(0, Date.now() - following.verifiedAt.getTime()) : 0);
  const isMirrorStale = () => maxMirrorAge !== undefined && mirrorAge() > maxMirrorAge;
  let sequence = Number.NEGATIVE_INFINITY;
  let started = false;
  let current: OpenEdition | undefined;
  /** Keys of the kept editions. */
  let kept: readonly string[] = [];
  const listeners: ((edition: Edition) => void)[] = [];
  const open = createOpenEditions(files, log, (edition) => {
    for (const listener of listeners) listener(edition);
  });
  const currentness = createCurrentness(database, maxStale);
  const ending = new AbortController();
  /** Whether it was stopped during a pause. */
  const pause = (milliseconds: number): Promise<boolean> =>
    sleep(milliseconds, false, { ref: false, signal: ending.signal }).catch(() => true);

  /** Opens a kept edition; undefined if it is not kept, or is held and named by its number. */
  const find = async (named: EditionSelector): Promise<OpenEdition | undefined> => {
    const known = open.named(named);
    if (known) return known;
    const edition = await findNamedEdition(database, named);
    return edition && open.use(edition);
  };
  /** Opens an index for the next poll. It logs failures itself, and when to try again. */
  const openBeside = ({ search }: OpenEdition) => {
    search.open().catch(() => {});
  };
  const follow = async (next: OpenEdition) => {
    openBeside(next);
    // Without another edition to serve meanwhile, it is served without search.
    if (!next.search.opened && current && kept.includes(current.edition.key)) return;
    current = next;
    next.edition.isHeld = false;
    const { id, total, provenance } = next.edition;
    const { command, from, by } = (await findSwitch(database, id)) ?? {};
    const { bundle, note } = provenance;
    log.info({ edition: id, records: total, command, from, by, bundle, note }, 'serving edition');
  };
  let cannotSweep = false;
  /** Deletes the files of editions that are neither kept nor open. */
  const sweepFiles = async () => {
    try {
      await files.sweep(new Set([...kept, ...open.keys()]), current !== undefined);
      cannotSweep = false;
    } catch (error) {
      if (!cannotSweep && !ending.signal.aborted)
        log.warn({ err: error }, 'the derived files of swept editions cannot be deleted');
      cannotSweep = true;
    }
  };
  const retire = (swept: OpenEdition) => {
    void open.retire(swept).then(sweepFiles);
  };
  const retireSwept = () => {
    for (const swept of open.all()) {
      const { id, key } = swept.edition;
      if (kept.includes(key) || swept === current) continue;
      retire(swept);
      log.info({ edition: id }, 'edition is no longer kept');
    }
  };
  const forgetAll = () => {
    for (const old of open.all()) retire(old);
    current = undefined;
    sequence = Number.NEGATIVE_INFINITY;
  };
  /** The database may have been replaced by that of another archive or release: then nothing of the old one is valid. */
  const noticeArchive = async () => {
    const { id: found, following: now } = await readArchive(database).catch((error) => {
      if (error instanceof OtherSchemaError) forgetAll();
      throw error;
    });
    following = now;
    if (archive !== undefined && found !== archive) {
      log.warn({ archive: found }, 'the database now contains another archive; switching to it');
      forgetAll();
    }
    archive = found;
    files.useArchive(found);
  };
  const readEditions = async () => {
    await noticeArchive();
    const served = await findServed(database);
    if (!served || served.sequence < sequence) return;
    const editions = await listEditions(database);
    kept = editions.map(({ key }) => key);
    const next = editions.find(({ id }) => id === served.edition);
    const held = editions.find(({ id, isHeld }) => isHeld && id > served.edition);
    for (const edition of editions) if (open.has(edition.id)) open.use(edition);
    const staying = [current, next && open.use(next), held && open.use(held)].filter(
      (each) => each !== undefined,
    );
    open.stay(staying.map(({ edition }) => edition.id));
    for (const each of staying) openBeside(each);
    await sweepFiles();
    if (next && next.id !== current?.edition.id) await follow(open.use(next));
    if (served.edition === current?.edition.id) sequence = served.sequence;
    // After the switch: the edition that was served until now may be swept already.
    retireSwept();
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

  let isFailing = false;
  const poll = async () => {
    try {
      await currentness.confirm(refresh);
      if (isFailing) log.info('the database is available again');
      isFailing = false;
    } catch (error) {
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
    /** The random id of the archive; empty before it is read. */
    archiveId: () => archive ?? '',
    /** Whether the last poll of the database succeeded. */
    isReached: () => started && !isFailing,
    /** Whether nothing may be served, because it may be outdated. */
    isStale: () => currentness.isStale() || isMirrorStale(),
    /** Of a copy that follows its original: milliseconds since it was verified. */
    mirrorAge: () => following && mirrorAge(),
    /** The served edition; undefined if nothing has been published. */
    current: () => current,
    /** An open edition: the served one, or another that requests have named. */
    inUse: open.named,
    find,
    /** The open editions and their search indexes. */
    open,
    /** The kept editions that are not held, newest first. */
    kept: async () => (await listEditions(database)).filter(({ isHeld }) => !isHeld),
    /** The current state, for `/health` and `/ready`. */
    state(): NodeState {
      const reason = whyNotReady();
      const opened = open.all().flatMap(({ edition, search }) => (search.opened ? edition.id : []));
      return {
        ready: reason === undefined,
        ...(reason !== undefined && { reason }),
        served: (started && current?.edition.id) || null,
        editions: opened.sort((a, b) => b - a),
        ...(following && {
          mirror: { verified_at: following.verifiedAt.toISOString(), fault: following.fault },
        }),
      };
    },
    /** Calls `listener` when it is seen that an edition is no longer kept. */
    onRetired: (listener: (edition: Edition) => void) => listeners.push(listener),
    refresh,
    /** Stops polling, and closes every index. */
    async stop(): Promise<void> {
      ending.abort();
      await polling;
      await open.close();
    },
  };

  function whyNotReady(): string | undefined {
    if (!started) return 'the server is starting';
    const doubt = currentness.doubt();
    if (doubt) return doubt;
    if (isMirrorStale())
      return `the copy was not verified for MAX_MIRROR_AGE: ${following?.fault ?? 'follow does not run'}`;
    if (isFailing) return 'the last query of the database failed';
    if (!current) return 'nothing has been published yet';
    return current.search.opened ? undefined : 'the search index of the served edition is not open';
  }
}
