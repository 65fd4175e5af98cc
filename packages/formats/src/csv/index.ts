export { csvLine } from './csv.ts';
export { type CsvColumn, type CsvContext, type CsvType, listOf, textOf } from './csv-column.ts';
export { type CsvOptions, csvColumns } from './csv-columns.ts';
export { CsvError } from './csv-error.ts';
export { readCsv } from './read-csv.ts';
export {
  FILES_COLUMNS,
  FOOTNOTE_COLUMNS,
  fileReadingRows,
  footnoteRows,
  type PlainColumn,
  readingRow,
} from './reading-rows.ts';
export {
  type Fields,
  type NeededNames,
  nameOfRecord,
  neededNames,
  type RecordNames,
  uuidOf,
} from './record-names.ts';
