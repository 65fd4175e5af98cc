import type { OnNotice } from '@archiefkast/client';
import type { HarvestEvent } from '@archiefkast/client/node';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { counted, duration } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';

/** What an event is in words; undefined when it is not worth a line. */
export function describeEvent(event: HarvestEvent): string | undefined {
  switch (event.type) {
    case 'wait':
      return `The server asks to wait ${duration(event.waitMs / 1000)}.`;
    case 'retry':
      return `${event.reason}. Trying again in ${duration(event.waitMs / 1000)} (${event.attempt}).`;
    case 'repair':
      return 'The links say http where the archive is at https; they are followed with https.';
    case 'pinned':
      return `All kinds are read from edition ${event.edition}.`;
    case 'edition-gone':
      return `Edition ${event.edition} is no longer served; all kinds begin again with the present one.`;
    case 'changes':
      return event.records === 0
        ? `Nothing has changed since edition ${event.since}.`
        : `${counted(event.records, 'record')} changed from edition ${event.since} to ${event.edition}; no other is asked for.`;
    case 'changes-refused':
      return `What the archive says has changed is of no use: ${event.reason}. All pages are walked.`;
    case 'damage':
      return `${event.reason}; what follows is fetched again.`;
    case 'resume':
      return `${COLLECTIONS[event.kind]}: going on after page ${event.pages}, ${counted(event.records, 'record')}.`;
    case 'restart':
      return `${COLLECTIONS[event.kind]}: beginning again, because ${event.reason}.`;
    case 'moved':
      return `${COLLECTIONS[event.kind]}: the archive moved again: ${event.reason}.`;
    case 'end':
      return `${COLLECTIONS[event.kind]}: ${counted(event.records, 'record')}, ${counted(event.pages, 'page')}.`;
    case 'page':
    case 'waited':
      return undefined;
  }
}

/** Tells someone who waits at a terminal of retries, waits and repaired links; of each kind of repair once. */
export function sayNotice({ stderr }: CommandContext): OnNotice {
  const said = new Set<string>();
  return (notice) => {
    const sentence = describeEvent(notice);
    if (!sentence || (notice.type === 'repair' && said.has(sentence))) return;
    said.add(sentence);
    stderr.write(`${sentence}\n`);
  };
}
