import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DerivedFiles } from '../derived/derived-files.ts';
import type { EditionIndex } from '../derived/edition-index.ts';
import { Gate, GateClosedError } from '../gate.ts';
import type { Edition, EditionSelector } from '../storage/edition.ts';

/** An edition and its search index. */
export interface OpenEdition {
  edition: Edition;
  search: EditionIndex;
}

/** Search indexes that may be open besides those that stay open: each takes a thread, and 40 MB. */
const MOST_OTHERS = 2;

/** Queries that open another index, one at a time. So few that they leave most of MAX_REQUESTS to other requests. */
const OPENING = { underWay: 1, waiting: 8, milliseconds: 1_000 };

/** How long an index stays open at least: so requests for many editions do not open more than a few a second. */
const LEAST_MILLISECONDS = 250;

/** How long the queries of an edition that is no longer kept may take; then its file is deleted all the same. */
const GRACE_MILLISECONDS = 1_500;

/** The editions that a server has open: see `createOpenEditions`. */
export type OpenEditions = ReturnType<typeof createOpenEditions>;

/**
 * The editions that requests can read. Few of them have an open search index: those that stay open, which open by themselves, and
 * up to two others, which open for a query. When another one is asked, the least recently used is closed as soon as no query uses it.
 *
 * @param onRetired called with an edition that is no longer kept, before its index is closed
 */
export function createOpenEditions(files: DerivedFiles, log: Logger, onRetired: (edition: Edition) => void) {
  const open = new Map<number, OpenEdition>();
  const closing = new Map<OpenEdition, Promise<void>>();
  const opening = new Gate(OPENING);
  let staying: ReadonlySet<number> = new Set();

  const all = (): readonly OpenEdition[] => [...open.values()];
  const others = () => all().filter(({ edition, search }) => search.isActive && !staying.has(edition.id));

  /** Closes the indexes that were used least recently, until `most` others are open. @throws GateClosedError */
  const makeRoom = async (most: number) => {
    while (others().length > most) {
      const [oldest] = others()
        .filter(({ search }) => search.opened)
        .sort((a, b) => a.search.usedAt - b.search.usedAt);
      if (!oldest) throw new GateClosedError('the indexes of other editions are being built');
      const left = oldest.search.openedAt + LEAST_MILLISECONDS - performance.now();
      if (left > 0) await sleep(left, undefined, { ref: false });
      else await oldest.search.rest();
    }
  };
  const admit = async (edition: Edition, openIndex: () => Promise<void>) => {
    if (staying.has(edition.id)) return await openIndex();
    await opening.pass(async () => {
      if (!open.get(edition.id)?.search.isActive) await makeRoom(MOST_OTHERS - 1);
      await openIndex();
    });
  };

  const retire = async ({ edition, search }: OpenEdition) => {
    onRetired(edition);
    await Promise.race([search.close(), sleep(GRACE_MILLISECONDS, undefined, { ref: false })]);
  };

  return {
    all,
    /** Queries that wait until they may open an index. */
    get waiting(): number {
      return opening.waiting;
    },
    /** Search indexes that are open, being opened or being built. */
    get indexes(): number {
      return all().filter(({ search }) => search.isActive).length;
    },
    /** The edition that a request names, if it is open. One that is held has to be named by its key. */
    named(named: EditionSelector): OpenEdition | undefined {
      if (typeof named === 'string') return all().find(({ edition }) => edition.key === named);
      const found = open.get(named);
      return found?.edition.isHeld ? undefined : found;
    },
    has: (id: number): boolean => open.has(id),
    /** Opens an edition, unless it is open; its index opens for the first query. It may have been served since it was. */
    use(edition: Edition): OpenEdition {
      const known = open.get(edition.id);
      if (known) known.edition.isHeld &&= edition.isHeld;
      const used = known ?? {
        edition,
        search: files.open(edition, log, (openIndex) => admit(edition, openIndex)),
      };
      open.set(edition.id, used);
      return used;
    },
    /** Says whose indexes stay open, and closes others if there are too many. */
    stay(ids: readonly number[]): void {
      staying = new Set(ids);
      if (others().length > MOST_OTHERS) opening.pass(() => makeRoom(MOST_OTHERS)).catch(() => {});
    },
    /** Forgets an edition that is no longer kept, and closes its index. */
    retire(retired: OpenEdition): Promise<void> {
      open.delete(retired.edition.id);
      const closed = retire(retired).finally(() => closing.delete(retired));
      closing.set(retired, closed);
      return closed;
    },
    /** The keys of the editions whose index may be open. */
    keys: (): string[] => [...all(), ...closing.keys()].map(({ edition }) => edition.key),
    /** Closes every index. */
    async close(): Promise<void> {
      await Promise.all([...all().map(({ search }) => search.close()), ...closing.values()]);
    },
  };
}
