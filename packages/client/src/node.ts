export { DumpHasher, type HashedBytes } from './dumps/dump-hasher.ts';
export { FolderError } from './errors/archive-errors.ts';
export {
  JOURNAL_FOLDER,
  journalPath,
  supplementPath,
  UPDATE_FOLDER,
  walkFilePath,
} from './harvest/folder.ts';
export { harvest } from './harvest/harvest.ts';
export type { HarvestEvent, OnHarvestEvent } from './harvest/harvest-event.ts';
export type { HarvestOptions, HarvestWay } from './harvest/harvest-options.ts';
export type { HarvestReport, KindReport } from './harvest/harvest-report.ts';
export type { RecordWatch, WatchRecords } from './harvest/journal.ts';
export type { PageEntry } from './harvest/journal-entry.ts';
export { JournalDamageError } from './harvest/journal-frames.ts';
export { isWalked, type PlacedEntry, readJournal, readRecordLines } from './harvest/read-journal.ts';
export { takeSupplement } from './harvest/take-supplement.ts';
export { assertSameWalk, readWalkFile, type WalkFile } from './harvest/walk-file.ts';
export { recordFields } from './shape/shapes.ts';
