import { forKinds, type Kind, RECORD_COLUMN_FIELDS } from '@archiefkast/types';

/** A text in Dutch and English: its name without a language suffix, and its two fields. */
export interface MultilingualText {
  field: string;
  nl: string;
  en: string;
}

/** The bilingual texts of each kind: its name, its HTML text and its summary. */
export const MULTILINGUAL = forKinds((kind) => {
  const asked = RECORD_COLUMN_FIELDS[kind].filter(({ language }) => language === 'asked');
  const [name, summary, html] = asked.map(({ name }) => ({
    field: name,
    nl: `${name}_nl`,
    en: `${name}_en`,
  }));
  if (!name || !summary || !html) throw new Error(`a ${kind} lacks a bilingual text`);
  return { name, html, all: [name, html, summary] as readonly MultilingualText[] };
});

/** The name of a record in Dutch or else English, or a person's own name; empty if it has none. */
export function nameOf(kind: Kind, record: Readonly<Record<string, unknown>>): string {
  const { nl, en } = MULTILINGUAL[kind].name;
  const own = ['first_name', 'infix', 'last_name'].map((field) => record[field]).filter(Boolean);
  return [record[nl], record[en], own.join(' ')].map((text) => String(text ?? '').trim()).find(Boolean) ?? '';
}
