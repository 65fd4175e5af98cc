import type { OnNotice } from '@archiefkast/client';
import type { HarvestEvent } from '@archiefkast/client/node';
import { counted, createProgressLine, duration, grouped } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { CommandContext } from './command-context.ts';

export type HarvestProgress = ReturnType<typeof createHarvestProgress>;

/** Without a terminal, progress is printed each time a kind gets this much further. */
const MILESTONE_PERCENT = 25;

/** Creates the progress of one harvest. `now` is in milliseconds. */
export function createHarvestProgress(
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
  { json, quiet, verbose }: { json: boolean; quiet: boolean; verbose: boolean },
  now: () => number = () => performance.now(),
) {
  const began = now();
  const line = createProgressLine(quiet || json ? { write() {} } : stderr);
  const kinds = new Map<Kind, { records: number; count: number; milestone: number }>();
  const describe = createDescriber();
  let pages = 0;
  let resumed = 0;
  let waitingUntil = 0;

  function say(sentence: string): void {
    if (quiet || json) return;
    line.clear();
    stderr.write(`${sentence}\n`);
  }

  function progressText(): string {
    const sum = (field: 'records' | 'count') =>
      [...kinds.values()].reduce((total, kind) => total + kind[field], 0);
    const [records, of] = [sum('records'), sum('count')];
    const seconds = (now() - began) / 1000;
    const rate = (records - resumed) / Math.max(seconds, 0.001);
    const wait = waitingUntil - now();
    return [
      `${grouped(records)} of ${counted(of, 'record')}`,
      counted(pages, 'page'),
      `${grouped(Math.round(rate))}/s`,
      wait > 0
        ? `waiting ${duration(wait / 1000)}`
        : `ETA ${rate > 0 ? duration((of - records) / rate) : '?'}`,
    ].join(', ');
  }

  function onPage({ kind, page, records, count }: HarvestEvent & { type: 'page' }): void {
    const milestone = kinds.get(kind)?.milestone ?? 0;
    // Not a number for a kind without records, which no comparison holds for.
    const reached = Math.floor((100 * records) / count / MILESTONE_PERCENT) * MILESTONE_PERCENT;
    kinds.set(kind, { records, count, milestone: Math.max(milestone, reached || 0) });
    pages += 1;
    const far = `${grouped(records)} of ${counted(count, 'record')}`;
    if (verbose) say(`${COLLECTIONS[kind]}: page ${page}, ${far}`);
    else if (!stderr.isTTY && reached > milestone && reached < 100)
      say(`${COLLECTIONS[kind]}: ${far} (${reached}%)`);
    line.show(progressText);
  }

  return {
    onEvent(event: HarvestEvent): void {
      if (json) stdout.write(`${JSON.stringify(event)}\n`);
      if (event.type === 'page') onPage(event);
      if (event.type === 'resume') {
        resumed += event.records;
        pages += event.pages;
      }
      if (event.type === 'restart') kinds.delete(event.kind);
      if (event.type === 'wait' || event.type === 'retry') {
        waitingUntil = now() + event.waitMs;
      }
      const sentence = describe(event);
      if (sentence) say(sentence);
    },
    /** Prints a line that stays on the screen. */
    say,
    /** Whether any page is stored. */
    hasPages: () => pages > 0,
    clear: line.clear,
  };
}

/** Creates the function that describes events; a repaired link is described once. */
function createDescriber(): typeof describeEvent {
  let hasRepaired = false;
  return (event) => {
    if (event.type === 'repair' && hasRepaired) return undefined;
    hasRepaired ||= event.type === 'repair';
    return describeEvent(event);
  };
}

/** Describes an event in a sentence; undefined if it is not reported. */
function describeEvent(event: HarvestEvent): string | undefined {
  switch (event.type) {
    case 'wait':
      return `The server asks to wait ${duration(event.waitMs / 1000)}.`;
    case 'retry':
      return `${sentence(event.reason)} Retrying in ${duration(event.waitMs / 1000)} (attempt ${event.attempt}).`;
    case 'repair':
      return 'Links have http although the archive is served over https; they are followed with https.';
    case 'pinned':
      return `All kinds are read from edition ${event.edition}.`;
    case 'edition-gone':
      return `Edition ${event.edition} is no longer served; starting again with the current edition.`;
    case 'changes':
      return event.records === 0
        ? `Nothing has changed since edition ${event.since}.`
        : `${counted(event.records, 'record')} to fetch from edition ${event.edition}: new or changed since edition ${event.since}, or with a changed record in them.`;
    case 'changes-refused':
      return `The changes that the archive offers cannot be used: ${sentence(event.reason)} Reading all pages.`;
    case 'resume':
      return `${COLLECTIONS[event.kind]}: resuming after page ${event.pages}, ${counted(event.records, 'record')}.`;
    case 'restart':
      return `${COLLECTIONS[event.kind]}: starting again because ${sentence(event.reason)}`;
    case 'moved':
      return `${COLLECTIONS[event.kind]}: the archive changed again: ${sentence(event.reason)}`;
    case 'end':
      return `${COLLECTIONS[event.kind]}: ${counted(event.records, 'record')}, ${counted(event.pages, 'page')}.`;
    case 'page':
    case 'waited':
      return undefined;
  }
}

/** A text with a full stop; a server's own may have one. */
function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** Prints retries, waits and repaired links to stderr; a repair only once. */
export function sayNotice({ stderr }: CommandContext): OnNotice {
  const describe = createDescriber();
  return (notice) => {
    const sentence = describe(notice);
    if (sentence) stderr.write(`${sentence}\n`);
  };
}
