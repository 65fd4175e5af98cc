export { CsvError, type CsvForm, csvLine, readCsv } from './csv.ts';
export { dataPackage, isReadingTable, type PackageFile, type PackageSource } from './data-package.ts';
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
} from './geojson.ts';
export { type Footnote, type HtmlReading, htmlReading } from './html/html-reading.ts';
export { type HtmlWords, htmlWords } from './html/html-words.ts';
export { htmlOfMarkdown } from './html/markdown.ts';
export * from './reading.ts';
export { CELL_LIMIT, joinList, LongColumns, splitList, TableError } from './tables/cells.ts';
export { type Concept, columnsLike, conceptOf, headerWords } from './tables/column-concepts.ts';
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
export { archiveRow, type RecordSource, recordRow, type TabledRecord } from './tables/record-rows.ts';
export { isReferenceName, referenceNames } from './tables/reference-names.ts';
export {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  RECORD_COLUMNS,
  ROLES,
  TABLES,
  type TableColumn,
  type TableName,
} from './tables/table-columns.ts';
export {
  sheetColumn,
  type TableContent,
  tableContents,
  tableCsv,
  tableSheets,
} from './tables/write-tables.ts';
export { templateTables } from './template.ts';
export { columnLetters } from './workbook/cells.ts';
export { describeContent, describeFile } from './workbook/describe-file.ts';
export { WorkbookError } from './workbook/parse-xml.ts';
export type { Cell } from './workbook/read-sheet.ts';
export { openWorkbook, type Workbook, type WorkbookSheet } from './workbook/read-workbook.ts';
export type { SheetColumn, SheetContent } from './workbook/write-workbook.ts';
export { WORKBOOK_TYPE, writeWorkbook } from './workbook/write-workbook.ts';
