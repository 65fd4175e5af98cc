import { REFERENCE_FIELDS } from './csv-columns.ts';
import { uuidOfReference } from './links.ts';

/** Joins the elements of a list in one cell. */
const LIST_SEPARATOR = '|';

/** A line of CSV (RFC 4180): cells are quoted where they must be, the line ends in CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * The cell of one field of a record. Null is empty, elements of a list are joined by `|`, references and
 * embedded records are their uuids, files and images their `url` or, without one, their `path`. Nothing else is
 * altered: a text that begins with `=` stays as it is.
 */
export function csvCell(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((element) => csvCell(field, element)).join(LIST_SEPARATOR);
  if (typeof value === 'object') return objectCell(value);
  const text = String(value);
  return REFERENCE_FIELDS.has(field) ? (uuidOfReference(text) ?? text) : text;
}

function objectCell(value: object): string {
  if ('url' in value && 'path' in value) return String(value.url || value.path || '');
  return 'uuid' in value ? String(value.uuid) : JSON.stringify(value);
}
