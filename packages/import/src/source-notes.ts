import { describeOrigin } from '@archiefkast/bundle';
import { type Aside, columnOfCell } from '@archiefkast/formats';
import { counted } from '@archiefkast/system';
import type { SourceDescription } from './import-map.ts';
import { cellOrigin, type Source } from './source.ts';

/** What a sheet has beside texts, and where. */
export interface AsideOfSheet {
  what: Aside;
  range: string;
}

/** Notes what a sheet has beside the texts of its cells, and what of it is hidden. */
export function noteAsides({ columns, rows, notes }: Source, asides: readonly AsideOfSheet[]): void {
  const rangesOf = (wanted: Aside) =>
    asides.flatMap(({ what, range }) => {
      if (what !== wanted) return [];
      const [first = '', last = first] = range.split(':');
      const rowOf = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0);
      const columnOf = (name: string) => columnOfCell(`${name}1`) ?? 0;
      return [{ rows: [rowOf(first), rowOf(last)], columns: [columnOf(first), columnOf(last)] }];
    });
  const isIn = (place: number, [first = 0, last = 0]: readonly number[]) => first <= place && place <= last;
  for (const [what, told] of [
    ['link', 'with a link, of which only the text is read'],
    ['comment', 'with a comment, which is not read'],
  ] as const) {
    const ranges = rangesOf(what);
    for (const [column, name] of columns.entries()) {
      const own = ranges.filter((range) => isIn(column, range.columns));
      const count = own.reduce((sum, { rows: [first = 0, last = 0] }) => sum + last - first + 1, 0);
      if (count > 0) notes.push(`${counted(count, 'cell')} of ${name} ${told}`);
    }
  }
  for (const [what, told] of [
    ['picture', 'over the sheet, not read'],
    ['shape', 'with a text over the sheet, not read'],
  ] as const) {
    const { length } = asides.filter((aside) => aside.what === what);
    if (length > 0) notes.push(`${counted(length, what)} ${told}`);
  }
  const hidden = new Set(rangesOf('hidden row').flatMap((range) => range.rows));
  const hiddenRows = rows.filter(({ at }) => hidden.has(at));
  const ranges = rangesOf('hidden column');
  const hiddenColumns = columns.filter(
    (_, column) =>
      ranges.some((range) => isIn(column, range.columns)) &&
      rows.some(({ cells }) => (cells[column] ?? '') !== ''),
  );
  if (hiddenRows.length + hiddenColumns.length === 0) return;
  const names = hiddenColumns.length > 0 ? ` (${hiddenColumns.join(', ')})` : '';
  const what = `${counted(hiddenRows.length, 'row')} and ${counted(hiddenColumns.length, 'column')}${names}`;
  notes.push(
    `HIDDEN IN THE SHEET, but read as the others: ${what}; leave out what is private by skip or drop`,
  );
}

/** Cells that a note lists. */
const SHOWN = 10;

/**
 * Notes the dates of a column whose day and month a spreadsheet may have turned round: it made dates of those that it could
 * read in its own order, and left the others as texts, such as 13/05/1950.
 */
export function noteTurnedDates(source: Source, column: number): void {
  const suspects: { at: number; text: string }[] = [];
  let left: string | undefined;
  for (const { at, cells } of source.rows) {
    const text = cells[column] ?? '';
    const [, month = '', day = ''] = /^\d{4}-(\d\d)-(\d\d)\b/.exec(text) ?? [];
    const [, one = '', other = ''] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{2,4}$/.exec(text) ?? [];
    if (Number(day) > 12) return;
    if (day !== month) suspects.push({ at, text });
    if (Number(one) > 12 !== Number(other) > 12) left ??= text;
  }
  if (left === undefined || suspects.length === 0) return;
  const cells = suspects
    .slice(0, SHOWN)
    .map(({ at, text }) => `${describeOrigin(cellOrigin(source, at, column))} (${text})`);
  const more = suspects.length > SHOWN ? ` and ${suspects.length - SHOWN} more` : '';
  const why = `as beside them is "${left}", which it could not read`;
  source.notes.push(
    `DAY AND MONTH MAY BE TURNED ROUND by a spreadsheet in ${source.columns[column]}, ${why}: ${cells.join(', ')}${more}`,
  );
}

/** Notes texts in quotes that were read as a part of them. */
export function noteQuotes({ rows, notes }: Source, quote: SourceDescription['quote']): void {
  const quoted = rows.flatMap(({ cells }) => cells.filter((cell) => /^".+"$/s.test(cell)));
  if (quote === undefined && quoted.length > 0)
    notes.push(
      `${counted(quoted.length, 'text')} in quotes, which stay: quote: '"' in the source takes them off`,
    );
}
