import {
  describePicture,
  describeRecord,
  type Fact,
  type NamesOfRecords,
  readTexts,
} from '@archiefkast/formats/describe-record';
import type { ArchiveRecord, Kind } from '@archiefkast/types';
import { nameOfRecord } from '@archiefkast/types/internal/fields';
import wrapAnsi from 'wrap-ansi';

/** Formats a record as readable text: dates, places, references, texts with footnotes, picture and page. @param width of lines, in characters */
export function readableRecord(
  kind: Kind,
  record: ArchiveRecord,
  width: number,
  names: NamesOfRecords,
): string {
  const title = `${nameOfRecord(record)} (${kind})`;
  const { texts, footnotes } = readTexts(record);
  const facts: Fact[] = [
    ...describeRecord(record, names).facts,
    ['picture', describePicture(record)],
    ['page', record.url],
    ['uuid', record.uuid],
  ];
  const sections = [
    `${title}\n${'='.repeat(Math.min(width, title.length))}`,
    factLines(facts, width),
    ...texts.map((text) => wrapText(text, width)),
    footnotes.length > 0 ? `Footnotes\n${wrapText(footnotes.join('\n'), width)}` : '',
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

/** Labels in a column, with their values next to them; empty ones are left out. */
function factLines(facts: readonly Fact[], width: number): string {
  const known = facts.filter(([, value]) => value !== '');
  const indent = Math.max(...known.map(([name]) => name.length)) + 2;
  return known
    .map(([name, value]) => {
      const lines = wrapText(value, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
      return name.padEnd(indent) + lines;
    })
    .join('\n');
}

/** Indent and marker of a list item: wrapped lines are indented by as much. */
const MARK = /^ {0,40}(?:(?:\*|\d{1,9}\.) )?/;

/** Wraps the lines of a text between words; a longer word is not broken. */
function wrapText(text: string, width: number): string {
  const lines = text.split('\n').map((line) => {
    const mark = MARK.exec(line)?.[0] ?? '';
    const wrapped = wrapAnsi(line.slice(mark.length), width - mark.length);
    return mark + wrapped.replaceAll('\n', `\n${' '.repeat(mark.length)}`);
  });
  return lines.join('\n');
}
