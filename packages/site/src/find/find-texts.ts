import type { Language } from '@archiefkast/types';

/** The texts of the home page, search and lists of records. */
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
  used: string;
  remove: (label: string) => string;
  dateField: string;
  dates: Readonly<Record<string, string>>;
  from: string;
  to: string;
  choose: string;
  didYouMean: string;
  instead: string;
  expected: string;
  values: string;
  happened: (place: string) => string;
  help: string;
  facets: Readonly<Record<string, string>>;
  asData: string;
  previous: string;
  next: string;
  pages: string;
  page: (number: number, last: number) => string;
  byName: string;
  tree: string;
  byDecade: string;
  timeline: string;
  timelineLead: string;
  decade: (start: number) => string;
  letters: string;
  publisher: string;
  newest: string;
  feed: string;
  home: string;
}

const EN: FindTexts = {
  search: 'Search',
  searchLabel: 'Search the archive',
  placeholder: 'A name, a place, a word …',
  go: 'Search',
  found: (count, shown) => (count === 1 ? '1 result' : `${shown} results`),
  nothing: 'No results.',
  hint: 'Try fewer words or a different spelling.',
  sort: 'Sort by:',
  sorts: { relevance: 'relevance', name: 'name', date: 'date', '-date': 'date, newest first' },
  narrow: 'Filter results',
  used: 'Filters in use',
  remove: (label) => `Remove filter: ${label}`,
  dateField: 'Date',
  dates: { birth_date: 'born', death_date: 'died', date: 'of the event' },
  from: 'From year',
  to: 'Up to and including',
  choose: 'Filter',
  didYouMean: 'Did you mean',
  instead: 'Perhaps you mean:',
  expected: 'Expected:',
  values: 'Values in this archive:',
  happened: (place) => `Events at places called “${place}”`,
  help: 'How to search',
  facets: { kind: 'Kind', century: 'Century', city: 'City', subject: 'Subject', gender: 'Gender' },
  asData: 'Download as:',
  previous: 'Previous',
  next: 'Next',
  pages: 'Pages',
  page: (number, last) => `Page ${number} of ${last}`,
  byName: 'by name',
  tree: 'by topic',
  byDecade: 'by decade',
  timeline: 'Events through time',
  timelineLead: 'Choose a decade to see its events.',
  decade: (start) => `${start}–${start + 9}`,
  letters: 'Names by first letter',
  publisher: 'Publisher',
  newest: 'Recently changed',
  feed: 'Follow changes (Atom feed)',
  home: 'Home',
};

const NL: FindTexts = {
  search: 'Zoeken',
  searchLabel: 'Zoek in het archief',
  placeholder: 'Een naam, een plaats, een woord …',
  go: 'Zoek',
  found: (count, shown) => (count === 1 ? '1 resultaat' : `${shown} resultaten`),
  nothing: 'Geen resultaten.',
  hint: 'Probeer minder woorden of een andere spelling.',
  sort: 'Sorteer op:',
  sorts: { relevance: 'relevantie', name: 'naam', date: 'datum', '-date': 'datum, nieuwste eerst' },
  narrow: 'Resultaten filteren',
  used: 'Gebruikte filters',
  remove: (label) => `Filter verwijderen: ${label}`,
  dateField: 'Datum',
  dates: { birth_date: 'geboren', death_date: 'overleden', date: 'van de gebeurtenis' },
  from: 'Van jaar',
  to: 'Tot en met',
  choose: 'Filter',
  didYouMean: 'Bedoelde u',
  instead: 'Bedoelde u misschien:',
  expected: 'Verwacht:',
  values: 'Waarden in dit archief:',
  happened: (place) => `Gebeurtenissen op plaatsen met de naam “${place}”`,
  help: 'Hoe zoekt u?',
  facets: { kind: 'Soort', century: 'Eeuw', city: 'Plaats', subject: 'Onderwerp', gender: 'Geslacht' },
  asData: 'Downloaden als:',
  previous: 'Vorige',
  next: 'Volgende',
  pages: 'Pagina’s',
  page: (number, last) => `Pagina ${number} van ${last}`,
  byName: 'op naam',
  tree: 'per hoofdonderwerp',
  byDecade: 'per decennium',
  timeline: 'Gebeurtenissen in de tijd',
  timelineLead: 'Kies een decennium om de gebeurtenissen te zien.',
  decade: (start) => `${start}–${start + 9}`,
  letters: 'Namen op beginletter',
  publisher: 'Uitgever',
  newest: 'Recent gewijzigd',
  feed: 'Volg de wijzigingen (Atom-feed)',
  home: 'Startpagina',
};

/** The texts of the home page, search and lists of records, by language. */
export const FIND_TEXTS: Readonly<Record<Language, FindTexts>> = { en: EN, nl: NL };
