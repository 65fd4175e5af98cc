import { join } from 'node:path';
import { makeFolder, withFileLock } from '@archiefkast/system';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { type Client, createClient } from '../create-client.ts';
import { FolderError } from '../errors/archive-errors.ts';
import { StatusError } from '../errors/request-errors.ts';
import { journalPath } from './folder.ts';
import type { OnHarvestEvent } from './harvest-event.ts';
import type { HarvestOptions, HarvestWay } from './harvest-options.ts';
import { createHarvestReport, type HarvestReport } from './harvest-report.ts';
import { type Journal, openJournal, type WatchRecords } from './journal.ts';
import { findEdition } from './pin-edition.ts';
import type { RunningHarvest } from './running-harvest.ts';
import { ChangesError, findChangedEdition, takeChanges } from './take-changes.ts';
import { takeDumps } from './take-dumps.ts';
import { assertSameWalk, readWalkFile, type WalkFile, writeWalkFile } from './walk-file.ts';
import { walkKinds } from './walk-kinds.ts';

/** The function of each way to harvest. */
const WAYS: Readonly<Record<HarvestWay, (running: RunningHarvest, walkFile: WalkFile) => Promise<void>>> = {
  pages: walkKinds,
  dumps: takeDumps,
  changes: takeChanges,
};

/** Maximum number of restarts because the edition is no longer served. */
const MOST_EDITIONS = 3;

/**
 * Walks all pages of some kinds into journals, from which files can be made. An interrupted harvest resumes; a complete one
 * only checks whether the last pages are unchanged.
 *
 * @returns what was read, and how the archive changed meanwhile
 * @throws FolderError if the folder contains another harvest, or another process harvests into it; RequestError if a request
 *   fails; NextError if a link is refused; OptionError if an option is invalid; the reason of the signal
 */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  const { kinds = KINDS, journalFolder, onEvent = () => {} } = options;
  const efforts = new Map(kinds.map((kind) => [kind, { retries: 0, waitedMs: 0 }]));
  const client = createClient({
    ...options,
    onNotice(notice) {
      const effort = efforts.get(kinds.find((kind) => isPageOf(client, kind, notice.url)) ?? 'person');
      if (effort && notice.type === 'retry') effort.retries += 1;
      if (effort && notice.type === 'waited') effort.waitedMs += notice.waitMs;
      onEvent(notice);
    },
  });

  const found = await findWalk(client, kinds, options);
  await makeFolder(journalFolder);
  return withFileLock(join(journalFolder, 'lock'), isUnderWay(journalFolder), async () => {
    const walkFile = await openWalkFile(journalFolder, found);
    const journals = await openJournals(kinds, journalFolder, onEvent, options.watchRecords);
    try {
      return await walkToTheEnds({ client, options, journals, onEvent, efforts }, walkFile);
    } finally {
      for (const journal of journals.values()) await journal.close();
    }
  });
}

/** Creates the error for a folder that another process harvests into. */
function isUnderWay(journalFolder: string): (cause: Error) => FolderError {
  return (cause) =>
    new FolderError(
      `${journalFolder}: another harvest into this folder is running; wait for it, or harvest into another folder`,
      { cause },
    );
}

/** Walks all kinds of one edition; starts again with a newer one if it is no longer served. */
async function walkToTheEnds(running: RunningHarvest, first: WalkFile): Promise<HarvestReport> {
  const { journals, onEvent } = running;
  let walkFile = first;
  for (let editions = 1; ; editions += 1) {
    if (walkFile.edition !== null) onEvent({ type: 'pinned', edition: walkFile.edition });
    try {
      await WAYS[walkFile.from ?? 'pages'](running, walkFile);
      return createHarvestReport(walkFile, journals);
    } catch (error) {
      const gone = walkFile.edition;
      if (error instanceof ChangesError) {
        onEvent({ type: 'changes-refused', reason: error.message });
        walkFile = await startAgain(running, { ...walkFile, from: 'pages' }, 'its changes cannot be used');
        continue;
      }
      if (gone === null || !isGoneEdition(error) || editions === MOST_EDITIONS) throw error;
      onEvent({ type: 'edition-gone', edition: gone });
      walkFile = await startAgain(running, walkFile, `edition ${gone} is no longer served`);
    }
  }
}

function isPageOf(client: Client, kind: Kind, url: string): boolean {
  return new URL(url).pathname === new URL(client.records(kind).url).pathname;
}

function isGoneEdition(error: unknown): boolean {
  return error instanceof StatusError && error.status === 410;
}

/** The edition to pin a harvest to; null if the server offers none. */
async function editionOf(
  client: Client,
  kinds: readonly Kind[],
  from: HarvestWay | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  if (from !== 'dumps') return findEdition(client, kinds, signal);
  const served = await client.manifest();
  return served ? String(served.manifest.edition.id) : null;
}

/** The walk in the folder, or a new one. */
async function findWalk(client: Client, kinds: readonly Kind[], options: HarvestOptions): Promise<WalkFile> {
  const { journalFolder, from = 'pages', signal = new AbortController().signal } = options;
  const asked = { source: client.baseUrl, language: client.language, kinds: [...kinds], from };
  const existing = await readWalkFile(journalFolder);
  if (existing) {
    assertSameWalk(journalFolder, existing, asked);
    return existing;
  }
  const started_at = new Date().toISOString();
  if (from === 'changes') {
    const changed = await findChangedEdition({ client, options }, kinds);
    if (changed !== undefined) return { ...asked, since: options.since, edition: changed, started_at };
    asked.from = 'pages';
  }
  return { ...asked, edition: await editionOf(client, kinds, asked.from, signal), started_at };
}

/** Writes the walk file, unless another process has done so meanwhile. */
async function openWalkFile(journalFolder: string, found: WalkFile): Promise<WalkFile> {
  const existing = await readWalkFile(journalFolder);
  if (existing) {
    assertSameWalk(journalFolder, existing, found);
    return existing;
  }
  await writeWalkFile(journalFolder, found);
  return found;
}

async function openJournals(
  kinds: readonly Kind[],
  journalFolder: string,
  onEvent: OnHarvestEvent,
  watchRecords?: WatchRecords,
): Promise<Map<Kind, Journal>> {
  const journals = new Map<Kind, Journal>();
  for (const kind of kinds) {
    const path = journalPath(journalFolder, kind);
    const onDamage = (error: Error) => onEvent({ type: 'damage', kind, reason: error.message });
    journals.set(kind, await openJournal(path, onDamage, () => watchRecords?.(kind)));
  }
  return journals;
}

/** Starts all kinds again, pinned to the served edition. */
async function startAgain(
  { client, options, journals }: RunningHarvest,
  { since: _, ...walkFile }: WalkFile,
  reason: string,
): Promise<WalkFile> {
  const { journalFolder, signal = new AbortController().signal } = options;
  const edition = await editionOf(client, walkFile.kinds, walkFile.from, signal);
  for (const [kind, journal] of journals) await journal.begin(kind, reason, false);
  const renewed = { ...walkFile, edition };
  await writeWalkFile(journalFolder, renewed);
  return renewed;
}
