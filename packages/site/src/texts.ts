import { KIND_NAMES, type Language } from '@archiefkast/types';

/** A number with a noun, as readers of a language write it. */
const countIn = (language: Language) => (one: string, many: string) => (number: number) =>
  `${number < 1_000 ? number : number.toLocaleString(language)} ${number === 1 ? one : many}`;

const countEn = countIn('en');
const countNl = countIn('nl');

const TEXTS = {
  archive: { en: 'Archive', nl: 'Archief' },
  kinds: KIND_NAMES,

  // Around every page.
  skip: { en: 'Skip to content', nl: 'Naar de inhoud' },
  preview: {
    en: 'Preview of an edition that is not published yet.',
    nl: 'Voorbeeld van een editie die nog niet gepubliceerd is.',
  },
  mainMenu: { en: 'Main menu', nl: 'Hoofdmenu' },
  search: { en: 'Search', nl: 'Zoeken' },
  documentation: { en: 'For developers', nl: 'Voor ontwikkelaars' },
  otherLanguage: { en: 'Nederlands', nl: 'English' },
  licence: { en: 'Licence', nl: 'Licentie' },
  publisher: { en: 'Publisher', nl: 'Uitgever' },
  contentNote: { en: 'Content note', nl: 'Vooraf' },
  policy: { en: 'Lasting addresses', nl: 'Blijvende adressen' },
  accessibility: { en: 'Accessibility', nl: 'Toegankelijkheid' },
  corrections: { en: 'Something wrong?', nl: 'Klopt er iets niet?' },
  removal: { en: 'Ask for removal', nl: 'Verzoek om verwijdering' },
  reuse: { en: 'Reuse', nl: 'Hergebruik' },
  copyOf: { en: 'A copy of', nl: 'Een kopie van' },
  verifiedOn: { en: (day: string) => `verified on ${day}.`, nl: (day: string) => `gecontroleerd op ${day}.` },

  // The archive as a dataset.
  data: { en: 'Data', nl: 'Data' },
  address: { en: 'Address', nl: 'Adres' },
  creator: { en: 'Creator', nl: 'Maker' },
  contact: { en: 'Contact', nl: 'Contact' },
  created: { en: 'Created', nl: 'Gemaakt' },
  size: { en: 'Size', nl: 'Omvang' },
  area: { en: 'Area', nl: 'Gebied' },
  period: { en: 'Period', nl: 'Periode' },
  forms: { en: 'Downloads and services', nl: 'Downloads en diensten' },
  described: { en: 'This description as linked data:', nl: 'Deze beschrijving als linked data:' },

  // Dates.
  months: {
    en: 'January February March April May June July August September October November December'.split(' '),
    nl: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
  },
  circa: { en: 'c.', nl: 'ca.' },
  decade: { en: (first: number) => `${first}s`, nl: (first: number) => `jaren\u00a0${first}` },
  century: {
    en: (first: number) => `between ${first} and ${first + 99}`,
    nl: (first: number) => `tussen ${first} en ${first + 99}`,
  },
  undated: { en: 'undated', nl: 'ongedateerd' },

  // Records.
  personOrInstitution: { en: 'Person or institution', nl: 'Persoon of instelling' },
  dutchOnly: { en: 'This text is available in Dutch only.', nl: '' },
  notes: { en: 'Notes', nl: 'Noten' },
  note: { en: 'Note', nl: 'Noot' },
  back: { en: 'Back to the text', nl: 'Terug naar de tekst' },
  born: { en: 'Born', nl: 'Geboren' },
  died: { en: 'Died', nl: 'Overleden' },
  places: { en: 'Places', nl: 'Plaatsen' },
  companions: { en: 'Appears with', nl: 'Komt voor met' },
  sharedEvents: { en: countEn('event', 'events'), nl: countNl('gebeurtenis', 'gebeurtenissen') },
  related: { en: 'Related locations', nl: 'Gerelateerde locaties' },
  narrower: { en: 'Narrower subjects', nl: 'Engere onderwerpen' },
  narrowerCount: {
    en: countEn('narrower subject', 'narrower subjects'),
    nl: countNl('enger onderwerp', 'engere onderwerpen'),
  },
  records: { en: countEn('record', 'records'), nl: countNl('record', 'records') },
  recordsBelow: {
    en: (number: number) => `${countEn('record', 'records')(number)} below`,
    nl: (number: number) => `${countNl('record', 'records')(number)} hieronder`,
  },
  under: { en: (name: string) => `under ${name}`, nl: (name: string) => `onder ${name}` },
  siblings: { en: 'Beside this subject', nl: 'Naast dit onderwerp' },
  trail: { en: 'Path', nl: 'Kruimelpad' },
  contents: { en: 'On this page', nl: 'Op deze pagina' },
  text: { en: 'Text', nl: 'Tekst' },
  rest: { en: 'The rest of the text', nl: 'De rest van de tekst' },
  words: { en: countEn('word', 'words'), nl: countNl('woord', 'woorden') },
  chapters: { en: countEn('chapter', 'chapters'), nl: countNl('hoofdstuk', 'hoofdstukken') },
  noteCount: { en: countEn('note', 'notes'), nl: countNl('noot', 'noten') },
  neighbours: { en: 'Before and after', nl: 'Vorige en volgende' },
  previous: { en: 'Previous', nl: 'Vorige' },
  next: { en: 'Next', nl: 'Volgende' },
  life: { en: 'Through life', nl: 'Door het leven' },
  lifeHelp: {
    en: 'Years from left to right: events as dots, places by their numbers, and below them who appears with this person, from the first event to the last',
    nl: 'Jaren van links naar rechts: gebeurtenissen als stippen, plaatsen met hun nummers, en daaronder wie met deze persoon voorkomt, van de eerste gebeurtenis tot de laatste',
  },
  undatedEvents: {
    en: (number: number) => `Not shown: ${countEn('undated event', 'undated events')(number)}.`,
    nl: (number: number) =>
      `Niet getoond: ${countNl('ongedateerde gebeurtenis', 'ongedateerde gebeurtenissen')(number)}.`,
  },
  moreCompanions: {
    en: (number: number) => `Not shown: ${countEn('other person', 'other persons')(number)} below.`,
    nl: (number: number) =>
      `Niet getoond: ${countNl('andere persoon', 'andere personen')(number)} hieronder.`,
  },
  firstTogether: { en: 'From', nl: 'Van' },
  lastTogether: { en: 'To', nl: 'Tot' },
  personsHere: { en: 'Persons here', nl: 'Personen hier' },
  near: { en: 'Near', nl: 'In de buurt' },
  around: { en: 'Here, before and after', nl: 'Hier, eerder en later' },
  when: { en: 'When', nl: 'Wanneer' },
  eventsOf: {
    en: (year: number) => `All events of ${year}`,
    nl: (year: number) => `Alle gebeurtenissen van ${year}`,
  },
  inArea: {
    en: { city: 'In this town', land: 'In this country' },
    nl: { city: 'In deze plaats', land: 'In dit land' },
  },
  inTown: {
    en: (town: string) => `All in ${town}`,
    nl: (town: string) => `Alles in ${town}`,
  },
  where: { en: 'Where', nl: 'Waar' },
  elsewhere: { en: 'In other vocabularies', nl: 'In andere thesauri' },
  pictures: { en: 'Pictures', nl: 'Afbeeldingen' },
  cite: { en: 'Cite this page', nl: 'Citeer deze pagina' },
  share: { en: 'Share', nl: 'Delen' },
  copyAddress: { en: 'Copy address', nl: 'Kopieer adres' },
  copySnippet: { en: 'Copy HTML of the card', nl: 'Kopieer HTML van de kaart' },
  copyCitation: { en: 'Copy citation', nl: 'Kopieer verwijzing' },
  copyBibtex: { en: 'Copy BibTeX', nl: 'Kopieer BibTeX' },
  copied: { en: 'Copied', nl: 'Gekopieerd' },
  edition: { en: 'edition', nl: 'editie' },
  asJson: { en: 'This record as JSON', nl: 'Dit record als JSON' },
  manifest: { en: 'Pictures (IIIF)', nl: 'Afbeeldingen (IIIF)' },
  manifestHelp: { en: 'Drag this link into a IIIF viewer', nl: 'Sleep deze link naar een IIIF-viewer' },
  more: { en: (number: string) => `${number} more`, nl: (number: string) => `nog ${number}` },
  all: { en: (number: string) => `Show all ${number}`, nl: (number: string) => `Toon alle ${number}` },

  // Lists.
  waysOfKind: {
    en: { person: 'by name', subject: 'by topic', location: 'by name', event: 'by decade' },
    nl: {
      person: 'op naam',
      subject: 'per hoofdonderwerp',
      location: 'op naam',
      event: 'per decennium',
    },
  },
  timeline: { en: 'Events through time', nl: 'Gebeurtenissen in de tijd' },
  notInBars: {
    en: (number: string, all: string) => `Not shown: ${number} of ${all}, without a day.`,
    nl: (number: string, all: string) => `Niet getoond: ${number} van ${all}, zonder dag.`,
  },
  letters: { en: 'Names by first letter', nl: 'Namen op beginletter' },
  highlights: { en: 'From the archive', nl: 'Uit het archief' },
  newest: { en: 'Recently changed', nl: 'Recent gewijzigd' },
  feed: { en: 'Follow changes (Atom feed)', nl: 'Volg de wijzigingen (Atom-feed)' },
  pages: { en: 'Pages', nl: 'Pagina’s' },
  pageOf: {
    en: (number: number, last: number) => `Page ${number} of ${last}`,
    nl: (number: number, last: number) => `Pagina ${number} van ${last}`,
  },

  // Search.
  searchLabel: { en: 'Search the archive', nl: 'Zoek in het archief' },
  placeholder: { en: 'A name, a place, a word …', nl: 'Een naam, een plaats, een woord …' },
  go: { en: 'Search', nl: 'Zoek' },
  results: {
    en: (number: number, written: string) => (number === 1 ? '1 result' : `${written} results`),
    nl: (number: number, written: string) => (number === 1 ? '1 resultaat' : `${written} resultaten`),
  },
  nothing: { en: 'No results.', nl: 'Geen resultaten.' },
  hint: {
    en: 'Try fewer words or a different spelling.',
    nl: 'Probeer minder woorden of een andere spelling.',
  },
  sort: { en: 'Sort by:', nl: 'Sorteer op:' },
  sorts: {
    en: { relevance: 'relevance', name: 'name', date: 'date', '-date': 'date, newest first' },
    nl: { relevance: 'relevantie', name: 'naam', date: 'datum', '-date': 'datum, nieuwste eerst' },
  },
  narrow: { en: 'Filter results', nl: 'Resultaten filteren' },
  used: { en: 'Filters in use', nl: 'Gebruikte filters' },
  remove: {
    en: (label: string) => `Remove filter: ${label}`,
    nl: (label: string) => `Filter verwijderen: ${label}`,
  },
  facets: {
    en: { kind: 'Kind', century: 'Century', city: 'City', subject: 'Subject', gender: 'Gender' },
    nl: { kind: 'Soort', century: 'Eeuw', city: 'Plaats', subject: 'Onderwerp', gender: 'Geslacht' },
  },
  dateField: { en: 'Date', nl: 'Datum' },
  dates: {
    en: { birth_date: 'born', death_date: 'died', date: 'of the event' },
    nl: { birth_date: 'geboren', death_date: 'overleden', date: 'van de gebeurtenis' },
  },
  from: { en: 'From year', nl: 'Van jaar' },
  to: { en: 'Up to and including', nl: 'Tot en met' },
  choose: { en: 'Filter', nl: 'Filter' },
  didYouMean: { en: 'Did you mean', nl: 'Bedoelde u' },
  apart: { en: 'No record has all words. Try:', nl: 'Geen record heeft alle woorden. Probeer:' },
  shown: { en: 'Results of', nl: 'Resultaten van' },
  instead: { en: 'Perhaps you mean:', nl: 'Bedoelde u misschien:' },
  expected: { en: 'Expected:', nl: 'Verwacht:' },
  values: { en: 'Values in this archive:', nl: 'Waarden in dit archief:' },
  happened: {
    en: (place: string) => `Events at places called “${place}”`,
    nl: (place: string) => `Gebeurtenissen op plaatsen met de naam “${place}”`,
  },
  asData: { en: 'Download as:', nl: 'Downloaden als:' },

  // Help on search.
  help: { en: 'How to search', nl: 'Hoe zoekt u?' },
  helpLead: { en: 'Choose an example, and change it.', nl: 'Kies een voorbeeld, en pas het aan.' },
  examples: {
    en: {
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
    nl: {
      leiden: 'Eén woord, in alle teksten: namen, samenvattingen, beschrijvingen, noten en bijschriften.',
      'leiden amsterdam': 'Meer woorden: allemaal.',
      '"den haag"': 'Aanhalingstekens: deze woorden bij elkaar, in deze volgorde.',
      'leiden OR delft': 'OR, in hoofdletters: een van beide, of allebei.',
      'boek*': 'Een sterretje: woorden die zo beginnen. Ten minste drie letters.',
      'leiden -kind:person': 'Een minteken: zonder dit.',
      'last_name:vries': 'Een veld en een waarde: personen met deze achternaam, of een deel ervan.',
      'birth_date:1601..1700': 'Twee punten: van en tot en met. Eén kant mag open blijven.',
      'kind:person gender:female birth_date:..1700': 'Velden bij elkaar: alle tegelijk. Hier de vrouwen.',
      'place:"den haag"':
        'Een stad, straat of gebouw: de locatie, de gebeurtenissen daar, en wie er geboren of gestorven is.',
      'kind:event city:leiden': 'Wat er in een stad gebeurde. Het kan ook met street en place.',
      'kind:event city:leiden date:1601..1700': 'Wat er in een periode gebeurde.',
    },
  },
  folding: {
    en: 'Capitals and accents make no difference, and neither do ij and y.',
    nl: 'Hoofdletters en accenten maken geen verschil, en ij en y ook niet.',
  },
  allFields: { en: 'All fields, in the documentation', nl: 'Alle velden, in de documentatie (Engels)' },

  // Maps.
  onMap: { en: 'On the map', nl: 'Op de kaart' },
  mapHelp: {
    en: 'Map. Use the arrow keys to move, plus and minus to zoom, and Tab to go from place to place.',
    nl: 'Kaart. Verschuif de kaart met de pijltjestoetsen, zoom met plus en min, en ga met Tab van plaats naar plaats.',
  },
  zoomIn: { en: 'Zoom in', nl: 'Inzoomen' },
  zoomOut: { en: 'Zoom out', nl: 'Uitzoomen' },
  close: { en: 'Close', nl: 'Sluiten' },
  previousPicture: { en: 'Previous picture', nl: 'Vorige afbeelding' },
  nextPicture: { en: 'Next picture', nl: 'Volgende afbeelding' },
  placesOnMap: { en: 'places', nl: 'plaatsen' },

  // Errors.
  notFound: { en: 'Page not found', nl: 'Pagina niet gevonden' },
  notFoundLead: { en: 'There is no page at this address.', nl: 'Er is geen pagina op dit adres.' },
  gone: {
    en: 'The archive no longer publishes this record.',
    nl: 'Het archief publiceert dit record niet meer.',
  },
  toHome: { en: 'Go to the home page', nl: 'Naar de startpagina' },
  again: { en: 'Try again', nl: 'Probeer het opnieuw' },
  problems: { en: 'Errors', nl: 'Foutmeldingen' },
};

export type Texts = { readonly [Name in keyof typeof TEXTS]: (typeof TEXTS)[Name]['en'] };

/** The texts of pages in a language. */
export function textsIn(language: Language): Texts {
  const entries = Object.entries(TEXTS).map(([name, texts]) => [name, texts[language]]);
  return Object.fromEntries(entries) as Texts;
}
