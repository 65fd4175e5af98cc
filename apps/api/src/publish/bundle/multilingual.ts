import type { Kind } from '@archiefkast/types';

/** A text in Dutch and English: its name without a language suffix, and its two fields. */
export interface MultilingualText {
  field: string;
  nl: string;
  en: string;
}

/** The bilingual texts of each kind: its name, its HTML text and its summary. */
export const MULTILINGUAL: Readonly<
  Record<Kind, { name: MultilingualText; html: MultilingualText; all: readonly MultilingualText[] }>
> = {
  person: textsOf('title', 'content'),
  subject: textsOf('name', 'description'),
  location: textsOf('name', 'content'),
  event: textsOf('name', 'content'),
};

function textsOf(nameField: string, htmlField: string) {
  const name = inBoth(nameField);
  const html = inBoth(htmlField);
  return { name, html, all: [name, html, inBoth('summary')] };
}

function inBoth(field: string): MultilingualText {
  return { field, nl: `${field}_nl`, en: `${field}_en` };
}

/** The name of a record in Dutch or else English, or a person's own name; empty if it has none. */
export function nameOf(kind: Kind, record: Readonly<Record<string, unknown>>): string {
  const { nl, en } = MULTILINGUAL[kind].name;
  const own = ['first_name', 'infix', 'last_name'].map((field) => record[field]).filter(Boolean);
  return [record[nl], record[en], own.join(' ')].map((text) => String(text ?? '').trim()).find(Boolean) ?? '';
}
