import type { Fault } from '../fault.ts';

const WORKBOOK = 'packages/formats/src/workbook';
const LIMITS = `${WORKBOOK}/workbook-limits.test.ts`;
const OTHERS = `${WORKBOOK}/workbook.test.ts`;
const HTML = 'packages/formats/src/html';
const CLEANING = 'packages/site/src/clean-html.test.ts';

/** Faults in reading texts, tables and workbooks. */
export const TEXTS: readonly Fault[] = [
  {
    id: 'days-of-libreoffice',
    was: 'Days up to 1 March 1900 in a workbook of LibreOffice were a day late.',
    guard: [OTHERS, 'date number'],
    undo: [
      [`${WORKBOOK}/workbook-dates.ts`, "day <= NO_SUCH_DAY && program !== 'Calc';", 'day <= NO_SUCH_DAY;'],
      [`${WORKBOOK}/workbook-dates.ts`, "if (program === 'xl') return", 'if (program !== undefined) return'],
    ],
  },
  {
    id: 'days-of-excel',
    was: 'Days up to 28 February 1900 in a workbook of Excel were a day early.',
    guard: [OTHERS, 'every day that Excel can show is read as that day'],
    undo: [[`${WORKBOOK}/workbook-dates.ts`, 'dayAt(day + 1)', 'dayAt(day)']],
  },
  {
    id: 'formula-without-value',
    was: 'A formula without a stored value became an empty text.',
    guard: [OTHERS, 'a formula without a stored value'],
    undo: [
      [
        `${WORKBOOK}/read-sheet.ts`,
        "return isFormula ? NO_STORED_VALUE : '';",
        "return isFormula && style < 0 ? NO_STORED_VALUE : '';",
      ],
    ],
  },
  {
    id: 'workbook-of-another-format',
    was: '`.ods`, `.xls`, `.xlsm`, empty and password-protected files were not named as what they are.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [
      [
        `${WORKBOOK}/describe-file.ts`,
        'return (await describeContent(path)) ?? BY_EXTENSION[extname(path).toLowerCase()];',
        "return path === '' ? ((await describeContent(path)) ?? BY_EXTENSION[extname(path).toLowerCase()]) : undefined;",
      ],
    ],
  },
  {
    id: 'format-of-brackets',
    was: 'A number format of `[[[[…` took quadratic time.',
    guard: [OTHERS, 'formats are read in linear time'],
    undo: [[`${WORKBOOK}/number-formats.ts`, String.raw`\[[^\]]*\]?`, String.raw`\[[^\]]*\]`]],
  },
  {
    id: 'month-of-a-workbook',
    was: '"mei 1950" in a workbook, a date cell whose format has no day, became 1 May 1950.',
    guard: [OTHERS, 'the format'],
    undo: [
      [`${WORKBOOK}/number-formats.ts`, 'if (!hasDay) return hasMonth', 'if (!hasYear) return hasMonth'],
    ],
  },
  {
    id: 'ids-with-zeros',
    was: 'An import kept nowhere that the id 12 was written 0012.',
    guard: ['test/import/others.test.ts', 'the text of an id that is a number'],
    undo: [
      [
        'apps/api/src/import/records.ts',
        'String(isOfRow ? use.home.record.id : idOfKey(text)) === text',
        '(isOfRow || /^\\d+$/.test(text))',
      ],
    ],
  },
  {
    id: 'rows-with-more-cells',
    was: 'A row with a comma that was not quoted was imported with its cells in the wrong columns.',
    guard: ['test/import/others.test.ts', 'more cells than the header'],
    undo: [['apps/api/src/import/open-sources.ts', 'if (isLonger && !isOpen)', 'if (isLonger && isSheet)']],
  },
  {
    id: 'rows-of-padded-cells',
    was: 'Rows with a single cell at the last column filled the memory with empty cells.',
    guard: [LIMITS, 'many cells'],
    undo: [[`${WORKBOOK}/read-sheet.ts`, 'count(Math.max(0, column + 1 - row.cells.length));', 'count(0);']],
  },
  {
    id: 'columns-beyond-the-last',
    was: 'A cell beyond the last column of a sheet filled the memory with empty cells.',
    guard: [LIMITS, 'a column out of range'],
    undo: [[`${WORKBOOK}/read-sheet.ts`, 'if (column >= LAST_COLUMN) {', 'if (column >= 1e9) {']],
  },
  {
    id: 'doctype',
    was: 'A DOCTYPE in a workbook took time and memory.',
    guard: [LIMITS, 'a DOCTYPE'],
    undo: [
      [`${WORKBOOK}/parse-xml.ts`, "parser.on('doctype', () =>", "parser.on('doctype', () => part === '' &&"],
    ],
  },
  {
    id: 'shared-texts-without-end',
    was: 'A workbook with 100 million shared texts filled the memory.',
    guard: [LIMITS, 'many shared texts'],
    undo: [[`${WORKBOOK}/read-workbook.ts`, 'counts.cells += CELLS_OF_SHARED;', 'counts.cells += 0;']],
  },
  {
    id: 'cell-without-end',
    was: 'A cell of 480 MB filled the memory.',
    guard: [LIMITS, 'a long cell'],
    undo: [
      [
        `${WORKBOOK}/read-sheet.ts`,
        '(all.length > longest ? refuse() : all)',
        '(longest < 0 ? refuse() : all)',
      ],
    ],
  },
  {
    id: 'damaged-part',
    was: 'A damaged part of a workbook was an error of a library, without its name.',
    guard: [LIMITS, 'a truncated part'],
    undo: [
      [
        `${WORKBOOK}/parse-xml.ts`,
        "return new WorkbookError(`is damaged: ${part === undefined ? '' : `${part}: `}${error.message}`);",
        'return part === undefined ? new WorkbookError(error.message) : error;',
      ],
    ],
  },
  {
    id: 'lines-that-end-in-cr',
    was: 'Reading a CSV file whose lines end in CR alone took quadratic time.',
    guard: ['packages/formats/src/csv.test.ts', 'lines that end in CR are counted in linear time'],
    undo: [
      [
        'packages/formats/src/csv.ts',
        'else if (code === RETURN) returns += 1;',
        "else if (code === RETURN) returns += Math.min(1, text.slice(start, start + 5_000).split('').length);",
      ],
    ],
  },
  {
    id: 'tags-in-quadratic-time',
    was: 'Search read a text of unclosed tags in quadratic time.',
    guard: [`${HTML}/html-words.test.ts`, 'takes linear time for repetitions of'],
    undo: [
      [
        `${HTML}/html-words.ts`,
        '  const text: string[] = [];\n  const footnotes: string[] = [];',
        "  const text: string[] = [html.slice(0, 250_000).replaceAll(/<[^>]*>/g, '').slice(0, 0)];\n  const footnotes: string[] = [];",
      ],
    ],
  },
  {
    id: 'plain-text-in-quadratic-time',
    was: 'CSV and plain text of a text of unclosed tags took quadratic time.',
    guard: [`${HTML}/html-reading.test.ts`, 'takes linear time for repetitions of'],
    undo: [
      [
        `${HTML}/html-reading.ts`,
        '  const body = createParagraphs();',
        "  const body = createParagraphs();\n  body.write(html.slice(0, 250_000).replaceAll(/<[^>]*>/g, '').slice(0, 0));",
      ],
    ],
  },
  {
    id: 'too-much-markup',
    was: 'The page of a text with 100,000 levels of elements took more than a minute.',
    guard: [CLEANING, 'becomes plain text'],
    undo: [
      [
        'packages/site/src/clean-html.ts',
        'if (excessOfHtml(html) !== undefined) return plainHtml(html);',
        "if (html === '' && excessOfHtml(html) !== undefined) return plainHtml(html);",
      ],
    ],
  },
  {
    id: 'too-much-markdown',
    was: 'Markdown of 100,000 `[` took quadratic time.',
    guard: [`${HTML}/markdown.test.ts`, 'limits on Markdown'],
    undo: [[`${HTML}/markdown.ts`, 'return brackets > MOST_BRACKETS ?', 'return brackets < 0 ?']],
  },
  {
    id: 'nested-lists',
    was: 'Plain text of lists within lists was indented without end: 180 kB of HTML made 400 MB of CSV.',
    guard: [`${HTML}/html-reading.test.ts`, 'lists are indented at most ten levels'],
    undo: [
      [
        `${HTML}/html-reading.ts`,
        'Math.min(lists.length - 1, DEEPEST_INDENT)',
        'Math.min(lists.length - 1, 1e6 * DEEPEST_INDENT)',
      ],
    ],
  },
  {
    id: 'anchor-in-prose',
    was: '` href="#x"` in the prose of a text was missing on its page.',
    guard: [CLEANING, 'keeps text that looks like an anchor'],
    undo: [
      [
        'packages/site/src/clean-html.ts',
        'const ANCHOR = /(<a(?: [^>]*?)?) href="#',
        'const ANCHOR = /() href="#',
      ],
    ],
  },
];
