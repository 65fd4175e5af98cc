export { identifyRecords } from './known-records.ts';
export { openCsvTable, openSheetTable } from './open-tables.ts';
export type { ReadTable } from './read-table.ts';
export { nameOfPath, nestedArchive, recordsOf } from './table-records.ts';
export type { SourceTable, TableRow } from './table-source.ts';
