import type { Logger } from 'pino';
import type { Database } from '../database/connect.ts';
import { type Edition, findEdition, listEditionIds, servedEditionId } from '../editions/edition.ts';
import type { SearchIndex } from '../search/index.ts';
import type { DerivedFiles } from './derived-files.ts';
import { indexWhenAsked, openEditionIndex } from './open-edition-index.ts';

/** An edition and its search index. */
export interface OpenEdition {
  edition: Edition;
  search: SearchIndex;
}

/** Follows which edition is served. A request takes one edition at its start and answers from that alone. */
export interface EditionsInUse {
  /** The edition served now; undefined while nothing has been published. */
  current(): OpenEdition | undefined;
  /** An edition that is in use at this moment: the one served now, or another that walks are pinned to. */
  inUse(id: number): OpenEdition | undefined;
  /** A kept edition, which is then in use until it is swept; undefined when it is not kept. */
  find(id: number): Promise<OpenEdition | undefined>;
  /** The ids of the kept editions, newest first. */
  kept(): Promise<number[]>;
  /** Looks now, instead of at the next tick. */
  refresh(): Promise<void>;
  /** Stops following, and closes every index. */
  stop(): Promise<void>;
}

/** How often the database is asked which edition it serves. */
const POLL_MILLISECONDS = 250;

/** Requests that began with an edition that is swept end within this time. */
const GRACE_MILLISECONDS = 60_000;

/**
 * Opens the served edition and follows it: a newly published one is opened beside it and then takes its place
 * at once. When the database cannot be asked, the last edition known stays.
 */
export async function followEditions(
  database: Database,
  files: DerivedFiles,
  log: Logger,
): Promise<EditionsInUse> {
  let current: OpenEdition | undefined;
  const others = new Map<number, OpenEdition>();
  const retired = new Map<OpenEdition, NodeJS.Timeout>();

  const inUse = (id: number) => (current?.edition.id === id ? current : others.get(id));

  const retire = (open: OpenEdition | undefined) => {
    if (!open) return;
    const close = () => {
      retired.delete(open);
      void open.search.close();
    };
    retired.set(open, setTimeout(close, GRACE_MILLISECONDS).unref());
  };
  const switchTo = async (id: number) => {
    const edition = await findEdition(database, id);
    if (!edition) return;
    const search = await openEditionIndex(database, files, edition);
    if (current) others.set(current.edition.id, current);
    retire(others.get(id));
    others.delete(id);
    current = { edition, search };
    log.info({ edition: id, records: edition.total }, 'serving edition');
    await files.sweep();
  };
  const retireSwept = async () => {
    const kept = new Set(await listEditionIds(database));
    for (const [id, open] of others) {
      if (kept.has(id)) continue;
      others.delete(id);
      retire(open);
      log.info({ edition: id }, 'edition is no longer kept');
    }
  };
  const refresh = oneAtATime(async () => {
    const id = await servedEditionId(database);
    if (id !== undefined && id !== current?.edition.id) await switchTo(id);
    if (others.size > 0) await retireSwept();
  });

  await refresh();
  const stopPolling = pollEvery(POLL_MILLISECONDS, refresh, log);

  return {
    current: () => current,
    inUse,
    async find(id) {
      const known = inUse(id);
      if (known) return known;
      const edition = await findEdition(database, id);
      // While the database was asked, another request may have brought it into use.
      const found = inUse(id);
      if (found || !edition) return found;
      const open = { edition, search: indexWhenAsked(() => openEditionIndex(database, files, edition)) };
      others.set(id, open);
      return open;
    },
    kept: () => listEditionIds(database),
    refresh,
    async stop() {
      await stopPolling();
      for (const timeout of retired.values()) clearTimeout(timeout);
      const open = [...(current ? [current] : []), ...others.values(), ...retired.keys()];
      await Promise.all(open.map(({ search }) => search.close()));
    },
  };
}

/** Does the work once at a time; whoever asks while it is being done waits for the next time, which sees what is new. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last
      .catch(() => {})
      .then(() => {
        next = undefined;
        last = work();
        return last;
      });
    return next;
  };
}

/** Does the work again and again; logs when it begins to fail and when it is well again. Returns what stops it. */
function pollEvery(milliseconds: number, work: () => Promise<void>, log: Logger): () => Promise<void> {
  let stopped = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let polling = Promise.resolve();

  const poll = async () => {
    try {
      await work();
      if (failing) log.info('the database answers again');
      failing = false;
    } catch (error) {
      if (!failing)
        log.error({ err: error }, 'cannot find out which edition is served; the last one known stays');
      failing = true;
    }
    if (!stopped) tick();
  };
  const tick = () => {
    timer = setTimeout(() => {
      polling = poll();
    }, milliseconds).unref();
  };
  tick();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await polling;
  };
}
