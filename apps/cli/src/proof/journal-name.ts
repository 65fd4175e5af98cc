import { basename } from 'node:path';
import { JOURNAL_FOLDER, journalPath } from '@archive/client/node';
import type { Kind } from '@archive/types';

/** The name of a kind's journal in a proof. */
export function journalName(kind: Kind): string {
  return `${JOURNAL_FOLDER}/${basename(journalPath('', kind))}`;
}

/** Whether a name in a proof is a journal's. */
export function isJournalName(name: string): boolean {
  return name.startsWith(`${JOURNAL_FOLDER}/`) && name.endsWith('.journal');
}
