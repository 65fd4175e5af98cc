export * from './csv/index.ts';
export {
  dataPackage,
  isReadingTable,
  type PackageFile,
  type PackageSource,
} from './data-package/data-package.ts';
export * from './geojson/index.ts';
export { type Footnote, type HtmlReading, htmlReading } from './html/html-reading.ts';
export { type HtmlWords, htmlWords } from './html/html-words.ts';
export { htmlOfMarkdown } from './html/markdown.ts';
export { deriveUuid, idOfUuid } from './tables/derive-uuid.ts';
export { type ExplainedColumn, explainColumns } from './tables/explain-columns.ts';
export { joinList, splitList } from './tables/list-cell.ts';
export { CELL_LIMIT, LongColumns } from './tables/long-cells.ts';
export {
  type Header,
  isMadeForReading,
  OTHER_COLUMN_NAMES,
  readHeader,
  recordColumnNames,
} from './tables/read-header.ts';
export { type ReadRow, type RowFault, type RowTexts, readFields, readTexts } from './tables/read-row.ts';
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
export {
  type RecordSource,
  sheetColumn,
  type TableContent,
  tableContents,
  tableCsv,
  tableSheets,
} from './tables/table-contents.ts';
export { TableError } from './tables/table-error.ts';
export { templateTables } from './tables/template-tables.ts';
export { archiveRow, fileRows, recordRow, type TabledRecord } from './tables/to-rows.ts';
export { columnLetters } from './workbook/cell-name.ts';
export type { Cell } from './workbook/read-sheet.ts';
export { openWorkbook, type Workbook, type WorkbookSheet } from './workbook/read-workbook.ts';
export type { SheetColumn, SheetContent } from './workbook/sheet-content.ts';
export { WorkbookError } from './workbook/workbook-error.ts';
export { WORKBOOK_TYPE, writeWorkbook } from './workbook/write-workbook.ts';
