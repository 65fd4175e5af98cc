export { openCsvTable, openSheets, type SourceTable, type TableRow } from './open-tables.ts';
export { readTables } from './table-records.ts';
