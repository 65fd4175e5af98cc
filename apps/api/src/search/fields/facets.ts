import { KIND_NAMES, KINDS, type Language } from '@archiefkast/types/kinds';

export const FACETS = ['kind', 'century', 'city', 'subject', 'gender'] as const;

export type FacetName = (typeof FACETS)[number];

/** A value, and the number of hits that have it. */
export interface CountedValue {
  value: string;
  count: number;
  /** The name of the subject; absent for other facets. */
  name?: string;
}

const QUOTES = /["“”„]/;

/**
 * Narrows a query to hits with a value; undefined if the value contains a quote, which cannot be expressed. The clause
 * comes first, so that an unclosed quote of the query cannot absorb it.
 *
 * @param q the query to narrow; `""` for all records
 */
export function narrowedQuery(q: string, facet: FacetName, value: string): string | undefined {
  if (QUOTES.test(value)) return undefined;
  const typed = facet === 'city' ? `="${value}"` : /\s/.test(value) ? `"${value}"` : value;
  return `${facet}:${typed} ${q}`.trim();
}

const GENDER_LABELS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { male: 'Male', female: 'Female' },
  nl: { male: 'Man', female: 'Vrouw' },
};

/** The label of a value for readers. */
export function facetLabel(facet: FacetName, { value, name }: CountedValue, language: Language): string {
  switch (facet) {
    case 'kind': {
      const kind = KINDS.find((each) => each === value);
      return kind ? KIND_NAMES[language][kind].many : value;
    }
    case 'century':
      return language === 'nl' ? `${value}e eeuw` : `${ordinal(Number(value))} century`;
    case 'gender':
      return GENDER_LABELS[language][value] ?? value;
    default:
      return name ?? value;
  }
}

/** `1st`, `2nd`, `3rd`, `11th` … */
function ordinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  const suffix = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[number % 10] ?? 'th');
  return `${number}${suffix}`;
}
