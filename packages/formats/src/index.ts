export * from './csv/index.ts';
export {
  dataPackage,
  isReadingTable,
  type PackageFile,
  type PackageSource,
} from './data-package/data-package.ts';
export {
  type EventFeature,
  eventCollectionSchema,
  type LocationFeature,
  locationCollectionSchema,
  type MappedEvent,
  type MappedLocation,
  mappedEventSchema,
  mappedLocationSchema,
  toEventFeature,
  toFeature,
} from './geojson/geojson.ts';
export { type Footnote, type HtmlReading, htmlReading } from './html/html-reading.ts';
export { type HtmlWords, htmlWords } from './html/html-words.ts';
export { htmlOfMarkdown } from './html/markdown.ts';
export { CELL_LIMIT, joinList, LongColumns, splitList, TableError } from './tables/cells.ts';
export { type ExplainedColumn, explainColumns } from './tables/explain-columns.ts';
export {
  deriveUuid,
  type Header,
  idOfUuid,
  isMadeForReading,
  OTHER_COLUMN_NAMES,
  type ReadRow,
  type RowFault,
  type RowTexts,
  readFields,
  readHeader,
  readTexts,
  recordColumnNames,
} from './tables/read-tables.ts';
export {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  IMAGE_FIELD,
  RECORD_COLUMNS,
  ROLES,
  TABLES,
  type TableColumn,
  type TableName,
} from './tables/table-columns.ts';
export { templateTables } from './tables/template-tables.ts';
export {
  archiveRow,
  fileRows,
  type RecordSource,
  recordRow,
  sheetColumn,
  type TableContent,
  type TabledRecord,
  tableContents,
  tableCsv,
  tableSheets,
} from './tables/write-tables.ts';
export { columnLetters } from './workbook/cells.ts';
export type { Cell } from './workbook/read-sheet.ts';
export { openWorkbook, type Workbook, type WorkbookSheet } from './workbook/read-workbook.ts';
export { WorkbookError } from './workbook/workbook-limits.ts';
export type { SheetColumn, SheetContent } from './workbook/write-workbook.ts';
export { WORKBOOK_TYPE, writeWorkbook } from './workbook/write-workbook.ts';
