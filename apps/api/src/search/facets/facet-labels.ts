import { KINDS, type Kind, type Language } from '@archiefkast/types/kinds';
import type { CountedValue } from './facet-counter.ts';
import type { FacetName } from './facets.ts';

const KIND_LABELS: Readonly<Record<Language, Readonly<Record<Kind, string>>>> = {
  en: { person: 'Persons', subject: 'Subjects', location: 'Locations', event: 'Events' },
  nl: { person: 'Personen', subject: 'Onderwerpen', location: 'Locaties', event: 'Gebeurtenissen' },
};

const GENDER_LABELS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { male: 'Male', female: 'Female' },
  nl: { male: 'Man', female: 'Vrouw' },
};

/** What a value is called, for people. */
export function facetLabel(facet: FacetName, { value, name }: CountedValue, language: Language): string {
  switch (facet) {
    case 'kind': {
      const kind = KINDS.find((each) => each === value);
      return kind ? KIND_LABELS[language][kind] : value;
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
