export { CsvError, type CsvForm, csvLine, readCsv } from './csv.ts';
export {
  type CsvColumn,
  type CsvContext,
  type CsvOptions,
  type CsvType,
  csvColumns,
  listOf,
  textOf,
} from './csv-columns.ts';
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
