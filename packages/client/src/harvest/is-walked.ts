import type { Kind } from '@archiefkast/types';
import { journalPath } from './folder.ts';
import { JournalDamageError } from './journal-damage-error.ts';
import { readJournal } from './read-journal.ts';

/** Whether the journals in a folder hold walks of these kinds to their ends. */
export async function isWalked(journalFolder: string, kinds: readonly Kind[]): Promise<boolean> {
  for (const kind of kinds) if (!(await hasEnd(journalPath(journalFolder, kind)))) return false;
  return true;
}

async function hasEnd(path: string): Promise<boolean> {
  let last = '';
  try {
    for await (const { entry } of readJournal(path)) last = entry.entry;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing && !(error instanceof JournalDamageError)) throw error;
    return false;
  }
  return last === 'end';
}
