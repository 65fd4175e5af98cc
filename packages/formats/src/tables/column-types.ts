import type { ColumnType } from '@archiefkast/types/internal';
import { textOf } from '../reading-tables/cells.ts';
import { uuidOf } from '../record-names.ts';
import { joinList, splitList } from './cells.ts';

/** The value of a cell; undefined if it is empty. */
export type ReadCell = { value: unknown } | { fault: string } | undefined;

interface TypeOfColumn {
  /** Reads a cell that is not empty. */
  read(text: string): ReadCell;
  write(value: unknown): string;
  en: string;
  nl: string;
}

const trimmed = (text: string): ReadCell => (text.trim() === '' ? undefined : { value: text.trim() });
const list = (text: string): ReadCell => ({ value: splitList(text) });

/** How cells of each type are read and written, and explained. */
export const COLUMN_TYPES: Readonly<Record<ColumnType, TypeOfColumn>> = {
  id: {
    read: (text) => (/^\s*\d+\s*$/.test(text) ? { value: Number(text) } : trimmed(text)),
    write: textOf,
    en: 'whole number',
    nl: 'heel getal',
  },
  uuid: { read: trimmed, write: textOf, en: 'UUID', nl: 'UUID' },
  boolean: {
    read(text) {
      const word = text.trim().toLowerCase();
      if (word === '') return undefined;
      if (['true', 'waar'].includes(word)) return { value: true };
      if (['false', 'onwaar'].includes(word)) return { value: false };
      return { fault: `expected true or false, got "${text}"` };
    },
    write: (value) => (value === false ? 'false' : ''),
    en: 'true or false',
    nl: 'true of false',
  },
  text: { read: (text) => ({ value: text }), write: textOf, en: 'text', nl: 'tekst' },
  nullable: {
    read: (text) => ({ value: text === '\\empty' ? '' : text.replace(/^\\\\/, '\\') }),
    write: (value) => (value === '' ? '\\empty' : textOf(value).replace(/^\\/, '\\\\')),
    en: 'text',
    nl: 'tekst',
  },
  html: {
    read: (text) => ({ value: text }),
    write: textOf,
    en: 'HTML; or plain text in a column …_text; or Markdown in a column …_markdown',
    nl: 'HTML; of platte tekst in een kolom …_text; of Markdown in een kolom …_markdown',
  },
  date: { read: trimmed, write: textOf, en: 'date, YYYY-MM-DD', nl: 'datum, JJJJ-MM-DD' },
  degrees: {
    read: trimmed,
    write: textOf,
    en: 'decimal degrees with a point',
    nl: 'decimale graden met een punt',
  },
  reference: {
    read(text) {
      const [value, ...more] = splitList(text);
      if (more.length > 0) return { fault: `expected one record, got ${more.length + 1}` };
      return value === undefined ? undefined : { value };
    },
    write: (value) => (value === null || value === undefined ? '' : uuidOf(value)),
    en: 'id, uuid or exact name of a record',
    nl: 'id, uuid of precieze naam van een record',
  },
  references: {
    read: list,
    write: (value) => (Array.isArray(value) ? joinList(value.map(uuidOf)) : ''),
    en: 'ids, uuids or exact names of records, joined by |',
    nl: 'id’s, uuid’s of precieze namen van records, gescheiden door |',
  },
  urls: {
    read: list,
    write: (value) => (Array.isArray(value) ? joinList(value.map(String)) : ''),
    en: 'addresses, joined by |',
    nl: 'adressen, gescheiden door |',
  },
  json: {
    read(text) {
      try {
        return { value: JSON.parse(text) };
      } catch {
        return { fault: 'expected a list as JSON' };
      }
    },
    write: (value) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : ''),
    en: 'a list as JSON',
    nl: 'een lijst als JSON',
  },
};
