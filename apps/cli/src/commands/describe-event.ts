import type { OnNotice } from '@archiefkast/client';
import type { HarvestEvent } from '@archiefkast/client/node';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { counted, duration } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';

/** Describes an event in a sentence; undefined if it is not reported. */
export function describeEvent(event: HarvestEvent): string | undefined {
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
  const said = new Set<string>();
  return (notice) => {
    const sentence = describeEvent(notice);
    if (!sentence || (notice.type === 'repair' && said.has(sentence))) return;
    said.add(sentence);
    stderr.write(`${sentence}\n`);
  };
}
