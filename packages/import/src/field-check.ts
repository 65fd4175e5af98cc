import { bundleSchemas, hostedFile, type PartialDates, plainText, takeFirstDays } from '@archiefkast/bundle';
import { IMAGE_COLUMNS, RECORD_COLUMNS, readFields, type TableColumn } from '@archiefkast/formats';
import type { Kind } from '@archiefkast/types';
import type { z } from 'zod';

/** Whether publish will accept a text in a field. */
export type FieldCheck = (text: string) => boolean;

/** The column of a table that a field fills; undefined for those of images and notes. */
export function columnOfField(kind: Kind, field: string): TableColumn | undefined {
  return RECORD_COLUMNS[kind].find((column) => column.name === withoutFormat(field));
}

/** The field of a text, whatever format it is in: `content_nl` for `content_nl_markdown`. */
export function withoutFormat(field: string): string {
  return field.replace(/_(text|markdown)$/, '');
}

/** The check of a field that is not a reference. */
export function createFieldCheck(kind: Kind, field: string, partialDates: PartialDates): FieldCheck {
  const column = columnOfField(kind, field);
  if (!column) {
    // Publish ignores columns that begin with `_`.
    if (!(field in IMAGE_COLUMNS)) return () => true;
    if (field === 'image_width' || field === 'image_height') return (text) => /^\s*0*[1-9]\d*\s*$/.test(text);
    const schema: z.ZodType = field === 'image_url' ? hostedFile : plainText;
    return (text) => schema.safeParse(text).success;
  }
  const shape: Readonly<Record<string, z.ZodType>> = bundleSchemas[kind].shape;
  const schema = shape[column.name];
  return (text) => {
    const texts = new Map([[field, cellText(kind, field, text)]]);
    const { fields, faults } = readFields({ texts, faults: [] }, [column]);
    if (faults.length > 0) return false;
    if (partialDates !== undefined) takeFirstDays(kind, fields);
    return schema?.safeParse(fields[column.name]).success ?? true;
  };
}

/** Whether a text that is a month, such as 1709-10, may also be a period of two years. */
export function mayBeYears(text: string): boolean {
  const [, year, other] = /^\d\d(\d\d)-(0\d|1[0-2])$/.exec(text) ?? [];
  return Number(other) > Number(year);
}

/** Writes the text of a field as its cell: a decimal comma becomes a point, a leading `\` of `title_en` is doubled. */
export function cellText(kind: Kind, field: string, text: string): string {
  const type = columnOfField(kind, field)?.type;
  if (type === 'degrees' && /^-?\d+,\d+$/.test(text)) return text.replace(',', '.');
  return type === 'nullable' ? text.replace(/^\\/, '\\\\') : text;
}
