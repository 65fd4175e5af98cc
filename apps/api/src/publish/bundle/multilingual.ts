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
