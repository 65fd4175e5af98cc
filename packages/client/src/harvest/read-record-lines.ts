import type { Kind } from '@archiefkast/types';
import { journalPath } from './folder.ts';
import { readJournal } from './read-journal.ts';

/**
 * Reads the records of a kind that a harvest holds, in order, as lines of JSON with their line feeds.
 *
 * @throws JournalDamageError
 */
export async function* readRecordLines(
  journalFolder: string,
  kind: Kind,
): AsyncGenerator<Buffer, void, void> {
  for await (const { lines } of readJournal(journalPath(journalFolder, kind))) yield* lines;
}
