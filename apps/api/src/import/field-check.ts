import { bundleSchemas, hostedFile, type PartialDates, plainText, takeFirstDays } from '@archiefkast/bundle';
import { IMAGE_COLUMNS, RECORD_COLUMNS, readFields, type TableColumn } from '@archiefkast/formats';
import type { Kind } from '@archiefkast/types';
import type { z } from 'zod';

/** Checks the text of a field as publish will; returns what is wrong with it, if anything. */
export type FieldCheck = (text: string) => string | undefined;

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
    const isImage = field in IMAGE_COLUMNS;
    const schema: z.ZodType = field === 'image_url' ? hostedFile : plainText;
    // Publish ignores columns that begin with `_`.
    return isImage ? (text) => faultIn(schema, text) : () => undefined;
  }
  const shape: Readonly<Record<string, z.ZodType>> = bundleSchemas[kind].shape;
  const schema = shape[column.name];
  return (text) => {
    const { fields, faults } = readFields({ texts: new Map([[field, text]]), faults: [] }, [column]);
    if (faults[0]) return faults[0].reason;
    if (partialDates !== undefined) takeFirstDays(kind, fields);
    return schema && faultIn(schema, fields[column.name]);
  };
}

function faultIn(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue?.message.replace(/^Invalid input: /, '').replace(', received', ', got');
}

/** Writes the text of a field as its cell: a decimal comma becomes a point, a leading `\` of `title_en` is doubled. */
export function cellText(kind: Kind, field: string, text: string): string {
  const type = columnOfField(kind, field)?.type;
  if (type === 'degrees' && /^-?\d+,\d+$/.test(text)) return text.replace(',', '.');
  return type === 'nullable' ? text.replace(/^\\/, '\\\\') : text;
}
