import { type Edition, type Note, noteOf, type RecordKey } from '../storage/edition.ts';
import type { Relations } from './record-views.ts';

/**
 * The content notes of a record: that of the archive, and those of its subjects and of the subjects above these; of a subject, its own
 * first. They are worked out when they are read, so that one is stored once.
 */
export function notesIn(
  archive: Edition['archive'],
  { referred, graph }: Relations,
  { kind, position }: RecordKey,
): Note[] {
  const found = new Set<Note>(archive?.note ? [archive.note] : []);
  const seen = new Set<number>();
  const wanted = archive?.notes
    ? kind === 'subject'
      ? [position]
      : referred('subject', kind, position)
    : [];
  for (const subject of wanted) {
    if (seen.has(subject)) continue;
    seen.add(subject);
    const note = noteOf(archive, graph.uuid('subject', subject));
    if (note) found.add(note);
    wanted.push(...referred('subject', 'broader', subject));
  }
  return [...found];
}
