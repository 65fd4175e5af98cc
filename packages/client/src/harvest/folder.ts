import { join } from 'node:path';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';

/** The journals' folder inside a harvest's folder. */
export const JOURNAL_FOLDER = '.journal';
/** The journals' folder of an update that is under way. */
export const UPDATE_FOLDER = '.journal-update';

/** The journal of a kind. */
export function journalPath(journalFolder: string, kind: Kind): string {
  return join(journalFolder, `${COLLECTIONS[kind]}.journal`);
}

/** The file that says what a journal folder is a harvest of. */
export function walkFilePath(journalFolder: string): string {
  return join(journalFolder, 'walk.json');
}
