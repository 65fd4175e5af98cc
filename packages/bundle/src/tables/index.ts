export { identifyRecords } from './known-records.ts';
export { openCsvTable, openSheetTable, type SourceTable, type TableRow } from './open-tables.ts';
export type { ReadTable } from './read-table.ts';
export { describeArchive, recordsOf } from './table-records.ts';
