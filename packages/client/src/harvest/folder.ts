import { join } from 'node:path';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';

/** Folder of the journals, in a harvest's folder. */
export const JOURNAL_FOLDER = '.journal';
/** Folder of the journals of a running update. */
export const UPDATE_FOLDER = '.journal-update';

/** Path of a kind's journal. */
export function journalPath(journalFolder: string, kind: Kind): string {
  return join(journalFolder, `${COLLECTIONS[kind]}.journal`);
}

/** Path of what the records of a harvest cannot say, if the archive offers it. */
export function supplementPath(journalFolder: string): string {
  return join(journalFolder, 'supplement.jsonl');
}

/** Path of the walk file: the identity of a harvest. */
export function walkFilePath(journalFolder: string): string {
  return join(journalFolder, 'walk.json');
}
