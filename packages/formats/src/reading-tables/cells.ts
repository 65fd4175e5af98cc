import type { Language } from '@archiefkast/types';
import type { Fields } from '../record-names.ts';

/** A plain value as text. */
export function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

/** The elements of a list; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The actual language of the text of a field; empty without a text. */
export function languageOfText(record: Fields, name: string, language: Language): Language | '' {
  if (textOf(record[name]) === '') return '';
  const other = language === 'en' ? 'nl' : 'en';
  return textOf(record[`${name}_${language}`]) === '' && textOf(record[`${name}_${other}`]) !== ''
    ? other
    : language;
}
