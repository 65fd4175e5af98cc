import type { Language } from '@archiefkast/types';
import type { CitedPage } from './citation.ts';

/** The media type of RIS. */
export const RIS_TYPE = 'application/x-research-info-systems; charset=utf-8';

/** The page of a record, as reference managers list it. */
export interface Reference extends Omit<CitedPage, 'edition'> {
  uuid: string;
  language: Language;
  /** The number of the edition. */
  edition: number;
  summary: string;
  /** The content notes of the record. */
  notes: readonly string[];
}

/** A reference in RIS, for Zotero and other reference managers: lines that end with CRLF, without those of empty fields. */
export function risOf(reference: Reference): string {
  const { uuid, title, archiveName, publisher, edition, day, language, summary, notes, address } = reference;
  const fields: readonly (readonly [tag: string, value: string | undefined])[] = [
    ['TY', 'ELEC'],
    ['ID', uuid],
    ['TI', title],
    ['T2', archiveName],
    ['PB', publisher],
    ['PY', day.slice(0, 4)],
    ['DA', day.replaceAll('-', '/')],
    ['ET', String(edition)],
    ['LA', language],
    ['AB', summary],
    ...notes.map((note) => ['N1', note] as const),
    ['UR', address],
  ];
  const lines = fields.flatMap(([tag, value = '']) => {
    const text = onOneLine(value);
    return text === '' ? [] : [`${tag}  - ${text}\r\n`];
  });
  return `${lines.join('')}ER  - \r\n`;
}

/** A text without line breaks and other control characters. */
function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
