import { LINE_ORIGINS } from '@archiefkast/archive-api/dist/publish/bundle/faults.js';
import { parseRecord } from '@archiefkast/archive-api/dist/publish/bundle/parse-record.js';
import { createWarner } from '@archiefkast/archive-api/dist/publish/bundle/warnings/create-warner.js';
import { WarningList } from '@archiefkast/archive-api/dist/publish/bundle/warnings/warning-list.js';
import { recordText } from '@archiefkast/archive-api/dist/search/build/record-values.js';
import { wordsOf } from '@archiefkast/archive-api/dist/search/fields/fold.js';
import { htmlReading, htmlWords } from '@archiefkast/formats';
import { footnoteRows } from '../../../packages/formats/dist/csv/reading-rows.js';
import { htmlOfText } from '../../../packages/formats/dist/html/html-reading.js';
import { LongColumns } from '../../../packages/formats/dist/tables/cells.js';
import {
  readFields,
  readHeader,
  readTexts,
  recordColumnNames,
} from '../../../packages/formats/dist/tables/read-tables.js';
import { recordRow } from '../../../packages/formats/dist/tables/record-rows.js';
import { RECORD_COLUMNS } from '../../../packages/formats/dist/tables/table-columns.js';
import { fromCellText, toCellText } from '../../../packages/formats/dist/workbook/cells.js';
import { isDateFormat } from '../../../packages/formats/dist/workbook/workbook-dates.js';
import { escapeXml } from '../../../packages/site/dist/feed/feeds.js';
import { MarkedText, snippetOf, wordsToMark } from '../../../packages/site/dist/find/mark-words.js';
import { toHtml } from '../../../packages/site/dist/html/jsx-runtime.js';
import { cleanHtml } from '../../../packages/site/dist/record/clean-html.js';
import { openingOf, plainText } from '../../../packages/site/dist/record/wording.js';

const LABELS = { notes: 'Notes', note: 'Note', back: 'Back' };
const WORDS = wordsToMark('amsterdam a x last_name:ab');
const UUID = '3e0a5b0e-5a0e-4c0e-8e0e-000000000001';
const COLUMNS = RECORD_COLUMNS.person;
const TYPES = [
  'title_nl',
  'title_en',
  'birth_date',
  'subjects',
  'content_nl_text',
  'id',
  'published',
  'pictures',
];

/** A person with a text in one or several of its fields. */
const personOf = (text: string) => ({ id: 1, uuid: UUID, title_nl: 'x', content_nl: text });
const inParts = (text: string) => {
  const half = text.slice(0, text.length / 2);
  return { id: 1, uuid: UUID, title_nl: 'x', content_nl: half, content_en: `${half}.` };
};
const inNames = (text: string) => {
  const half = text.slice(0, text.length / 2);
  return { id: 1, uuid: UUID, title_nl: half, title_en: `${half}.` };
};

const readCells = (names: readonly string[], text: string) => {
  const columns = names.map((name) => ({ header: name, name, piece: 0 }));
  const cells = names.map(() => text);
  return readFields(readTexts(cells, columns), COLUMNS);
};

type Readers = Readonly<Record<string, (text: string) => unknown>>;

/** All functions that read HTML of a record. */
export const HTML_READERS: Readers = {
  'HTML for a page': (text) => cleanHtml(text, 'text', LABELS),
  'description of a page': (text) => openingOf(text),
  'snippet of a search page': (text) => snippetOf(plainText(text), WORDS),
  'plain text': htmlReading,
  'footnotes of CSV': (text) => footnoteRows('person', { content: `${text} footnotes` }, { language: 'nl' }),
  'words of HTML': htmlWords,
  'text of the search index': (text) => recordText('person', inParts(text)),
  warnings(text) {
    const warner = createWarner('subject', new WarningList(LINE_ORIGINS));
    const parsed = parseRecord(
      'subject',
      JSON.stringify({ id: 1, uuid: UUID, name_nl: 'x', description_nl: text }),
    );
    if ('record' in parsed) warner.look(parsed.record, 1);
    warner.finish();
  },
};

/** All functions that read Markdown. */
export const MARKDOWN_READERS: Readers = {
  'HTML of Markdown': (text) => readCells(['content_nl_markdown'], text),
};

/** All functions that read a text of a record, a table or a workbook. */
export const TEXT_READERS: Readers = {
  'marks of a search page': (text) => toHtml(MarkedText({ text, words: WORDS })),
  'words of a name': wordsOf,
  'names of the search index': (text) => recordText('person', inNames(text)),
  'line of a bundle': (text) => parseRecord('person', JSON.stringify(personOf(text))),
  'address of a bundle': (text) =>
    parseRecord(
      'location',
      JSON.stringify({ id: 1, uuid: UUID, main_image: { id: 1, uuid: UUID, url: text } }),
    ),
  'path of a bundle': (text) =>
    parseRecord(
      'location',
      JSON.stringify({ id: 1, uuid: UUID, main_image: { id: 1, uuid: UUID, path: text } }),
    ),
  'degrees of a bundle': (text) =>
    parseRecord('location', JSON.stringify({ id: 1, uuid: UUID, latitude: text })),
  'reference of a bundle': (text) =>
    parseRecord('location', JSON.stringify({ id: 1, uuid: UUID, subjects: [text] })),
  'date of a bundle': (text) =>
    parseRecord('person', JSON.stringify({ id: 1, uuid: UUID, birth_date: text })),
  'HTML of plain text': htmlOfText,
  'row of a table': (text) => {
    const row = recordRow('person', personOf(text.toWellFormed()));
    const long = new LongColumns(COLUMNS.map(({ name }) => name));
    long.see(row);
    return long.spread(row);
  },
  'cells of a table': (text) => readCells(TYPES, text.slice(0, text.length / TYPES.length)),
  'header of a table': (text) => readHeader(['id', text, `content_nl${text}`], recordColumnNames('person')),
  'number format of a workbook': (text) => isDateFormat(200, text),
  'written cell of a workbook': toCellText,
  'read cell of a workbook': fromCellText,
  'text of a feed': escapeXml,
};
