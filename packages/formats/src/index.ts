export {
  CsvError,
  type CsvForm,
  DELIMITERS,
  isEncoding,
  QUOTE_MARKS,
  readCsv,
  splitInQuotes,
} from './csv.ts';
export { eventCollectionSchema, locationCollectionSchema } from './geojson.ts';
export {
  type Fields,
  type ReadingColumn,
  type ReadingTable,
  readingTables,
  recordTable,
} from './reading-tables/reading-tables.ts';
export { CELL_LIMIT, joinList } from './tables/cells.ts';
export {
  type ColumnConcept,
  type Concept,
  columnsLike,
  conceptOf,
  datePartOf,
  headerWords,
} from './tables/column-concepts.ts';
export {
  deriveUuid,
  idOfUuid,
  isMadeForReading,
  type RowTexts,
  readFields,
  readHeader,
  readTexts,
} from './tables/read-tables.ts';
export { isUsableName } from './tables/reference-names.ts';
export {
  ARCHIVE_COLUMNS,
  columnNames,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  RECORD_COLUMNS,
  ROLES,
  TABLES,
  type TableColumn,
  type TableName,
} from './tables/table-columns.ts';
export { sheetOf, tableContents, tableCsv } from './tables/write-tables.ts';
export { templateTables } from './template.ts';
export { type Cell, columnLetters, columnOfCell } from './workbook/cells.ts';
export { describeContent, describeFile } from './workbook/describe-file.ts';
export { WorkbookError } from './workbook/parse-xml.ts';
export type { Aside, OnAside } from './workbook/read-sheet.ts';
export { openWorkbook, type WorkbookSheet } from './workbook/read-workbook.ts';
export { type SheetColumn, type SheetContent, writeWorkbook } from './workbook/write-workbook.ts';
