import { KIND_NAMES } from '@archiefkast/types';

const count = (one: string, many: string) => (number: number) =>
  number === 1 ? `1 ${one}` : `${number} ${many}`;

/** The texts of pages in English. */
export const EN = {
  archive: 'Archive',
  kinds: KIND_NAMES.en,

  // Around every page.
  skip: 'Skip to content',
  mainMenu: 'Main menu',
  search: 'Search',
  documentation: 'For developers',
  otherLanguage: 'Nederlands',
  licence: 'Licence',
  publisher: 'Publisher',

  // Dates.
  months: 'January February March April May June July August September October November December'.split(' '),
  circa: 'c.',
  decade: (first: number) => `${first}s`,
  century: (first: number) => `between ${first} and ${first + 99}`,
  undated: 'undated',

  // Records.
  personOrInstitution: 'Person or institution',
  dutchOnly: 'This text is available in Dutch only.',
  notes: 'Notes',
  note: 'Note',
  back: 'Back to the text',
  born: 'Born',
  died: 'Died',
  places: 'Places',
  companions: 'Appears with',
  sharedEvents: count('event', 'events'),
  related: 'Related locations',
  narrower: 'Narrower subjects',
  narrowerCount: count('narrower subject', 'narrower subjects'),
  under: (name: string) => `under ${name}`,
  siblings: 'Beside this subject',
  trail: 'Path',
  contents: 'On this page',
  text: 'Text',
  readAll: 'Read all',
  foldText: 'Fold the text',
  neighbours: 'Before and after',
  previous: 'Previous',
  next: 'Next',
  copy: 'Copy',
  copied: 'Copied',
  missingPicture: 'The image cannot be loaded.',
  where: 'Where',
  elsewhere: 'In other vocabularies',
  pictures: 'Pictures',
  cite: 'Cite this page',
  edition: 'edition',
  asJson: 'This record as JSON',
  all: (number: string) => `Show all ${number}`,

  // Lists.
  waysOfKind: { person: 'by name', subject: 'by topic', location: 'by name', event: 'by decade' },
  timeline: 'Events through time',
  timelineLead: 'Choose a decade to see its events.',
  letters: 'Names by first letter',
  newest: 'Recently changed',
  feed: 'Follow changes (Atom feed)',
  pages: 'Pages',
  pageOf: (number: number, last: number) => `Page ${number} of ${last}`,

  // Search.
  searchLabel: 'Search the archive',
  placeholder: 'A name, a place, a word …',
  go: 'Search',
  results: (number: number, written: string) => (number === 1 ? '1 result' : `${written} results`),
  nothing: 'No results.',
  hint: 'Try fewer words or a different spelling.',
  sort: 'Sort by:',
  sorts: { relevance: 'relevance', name: 'name', date: 'date', '-date': 'date, newest first' },
  narrow: 'Filter results',
  used: 'Filters in use',
  remove: (label: string) => `Remove filter: ${label}`,
  facets: { kind: 'Kind', century: 'Century', city: 'City', subject: 'Subject', gender: 'Gender' },
  dateField: 'Date',
  dates: { birth_date: 'born', death_date: 'died', date: 'of the event' },
  from: 'From year',
  to: 'Up to and including',
  choose: 'Filter',
  didYouMean: 'Did you mean',
  instead: 'Perhaps you mean:',
  expected: 'Expected:',
  values: 'Values in this archive:',
  happened: (place: string) => `Events at places called “${place}”`,
  asData: 'Download as:',

  // Help on search.
  help: 'How to search',
  helpLead: 'Choose an example, and change it.',
  examples: {
    leiden: 'One word, in any text: names, summaries, descriptions, notes and captions.',
    'leiden amsterdam': 'Several words: all of them.',
    '"den haag"': 'Quotation marks: these words together, in this order.',
    'leiden OR delft': 'OR, in capitals: one of the two, or both.',
    'boek*': 'An asterisk: words that start so. At least three letters.',
    'leiden -kind:person': 'A minus sign: without this.',
    'last_name:vries': 'A field and a value: persons with this last name, or a part of it.',
    'birth_date:1601..1700': 'Two dots: from and to. Either side may be left out.',
    'kind:person gender:female birth_date:..1700': 'Fields together: all of them. Here, the women.',
    'place:"den haag"':
      'A town, a street or a building: the location, the events there, and who was born or died there.',
    'kind:event city:leiden': 'What happened in a town. The same works with street and place.',
    'kind:event city:leiden date:1601..1700': 'What happened in a period.',
  },
  folding: 'Capitals and accents make no difference, and neither do ij and y.',
  allFields: 'All fields, in the documentation',

  // Maps.
  onMap: 'On the map',
  mapHelp: 'Map. Use the arrow keys to move, plus and minus to zoom, and Tab to go from place to place.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  close: 'Close',
  placesOnMap: 'places',

  // Errors.
  notFound: 'Page not found',
  notFoundLead: 'There is no page at this address.',
  toHome: 'Go to the home page',
  again: 'Try again',
  problems: 'Errors',
};
