import type { Kind, Language } from '@archiefkast/types';

/** The words of the home page, of search and of the ways in. */
export interface FindTexts {
  search: string;
  searchLabel: string;
  placeholder: string;
  go: string;
  found: (count: number, shown: string) => string;
  nothing: string;
  hint: string;
  sort: string;
  sorts: Readonly<Record<'relevance' | 'name' | 'date' | '-date', string>>;
  narrow: string;
  facets: Readonly<Record<string, string>>;
  asData: string;
  previous: string;
  next: string;
  pages: string;
  page: (number: number, last: number) => string;
  kinds: Readonly<Record<Kind, string>>;
  ways: string;
  byName: string;
  tree: string;
  byDecade: string;
  timeline: string;
  timelineLead: string;
  decade: (start: number) => string;
  letters: string;
  licence: string;
  publisher: string;
  newest: string;
  feed: string;
  home: string;
  noDate: string;
}

const EN: FindTexts = {
  search: 'Search',
  searchLabel: 'Search the archive',
  placeholder: 'A name, a place, a word …',
  go: 'Search',
  found: (count, shown) => (count === 1 ? '1 record' : `${shown} records`),
  nothing: 'Nothing was found.',
  hint: 'Try fewer words, or another spelling.',
  sort: 'In order of',
  sorts: { relevance: 'relevance', name: 'name', date: 'date', '-date': 'date, newest first' },
  narrow: 'Narrow down',
  facets: { kind: 'Kind', century: 'Century', city: 'City', subject: 'Subject', gender: 'Gender' },
  asData: 'These results as',
  previous: 'Previous',
  next: 'Next',
  pages: 'Pages',
  page: (number, last) => `Page ${number} of ${last}`,
  kinds: { person: 'Persons', subject: 'Subjects', location: 'Locations', event: 'Events' },
  ways: 'Ways in',
  byName: 'by name',
  tree: 'from the top of the tree',
  byDecade: 'by decade',
  timeline: 'Events through time',
  timelineLead: 'Each bar is a decade, and leads to its events.',
  decade: (start) => `${start}–${start + 9}`,
  letters: 'Letters',
  licence: 'Licence',
  publisher: 'Publisher',
  newest: 'Changed last',
  feed: 'As a feed',
  home: 'Front page',
  noDate: 'without a date',
};

const NL: FindTexts = {
  search: 'Zoeken',
  searchLabel: 'Zoek in het archief',
  placeholder: 'Een naam, een plaats, een woord …',
  go: 'Zoek',
  found: (count, shown) => (count === 1 ? '1 record' : `${shown} records`),
  nothing: 'Er is niets gevonden.',
  hint: 'Probeer minder woorden, of een andere spelling.',
  sort: 'Op volgorde van',
  sorts: { relevance: 'relevantie', name: 'naam', date: 'datum', '-date': 'datum, nieuwste eerst' },
  narrow: 'Verfijn',
  facets: { kind: 'Soort', century: 'Eeuw', city: 'Plaats', subject: 'Onderwerp', gender: 'Geslacht' },
  asData: 'Deze resultaten als',
  previous: 'Vorige',
  next: 'Volgende',
  pages: 'Pagina’s',
  page: (number, last) => `Pagina ${number} van ${last}`,
  kinds: { person: 'Personen', subject: 'Onderwerpen', location: 'Locaties', event: 'Gebeurtenissen' },
  ways: 'Ingangen',
  byName: 'op naam',
  tree: 'vanaf de top van de boom',
  byDecade: 'per decennium',
  timeline: 'Gebeurtenissen door de tijd',
  timelineLead: 'Elke balk is een decennium, en leidt naar de gebeurtenissen.',
  decade: (start) => `${start}–${start + 9}`,
  letters: 'Letters',
  licence: 'Licentie',
  publisher: 'Uitgever',
  newest: 'Laatst gewijzigd',
  feed: 'Als feed',
  home: 'Voorpagina',
  noDate: 'zonder datum',
};

/** The words of the home page, of search and of the ways in, by language. */
export const FIND_TEXTS: Readonly<Record<Language, FindTexts>> = { en: EN, nl: NL };
