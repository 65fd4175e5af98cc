import { basename } from 'node:path';
import { JOURNAL_FOLDER, journalPath } from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types';

/** The name of a kind's journal in a proof. */
export function journalName(kind: Kind): string {
  return `${JOURNAL_FOLDER}/${basename(journalPath('', kind))}`;
}

/** Whether a name in a proof is a journal's. */
export function isJournalName(name: string): boolean {
  return name.startsWith(`${JOURNAL_FOLDER}/`) && name.endsWith('.journal');
}
