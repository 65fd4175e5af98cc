import { KIND_NAMES } from '@archiefkast/types';
import type { EN } from './en.ts';

const count = (one: string, many: string) => (number: number) =>
  number === 1 ? `1 ${one}` : `${number} ${many}`;

/** The texts of pages in Dutch. */
export const NL: typeof EN = {
  archive: 'Archief',
  kinds: KIND_NAMES.nl,

  // Around every page.
  skip: 'Naar de inhoud',
  mainMenu: 'Hoofdmenu',
  search: 'Zoeken',
  documentation: 'Voor ontwikkelaars',
  otherLanguage: 'English',
  licence: 'Licentie',
  publisher: 'Uitgever',

  // Dates.
  months: 'januari februari maart april mei juni juli augustus september oktober november december'.split(
    ' ',
  ),
  circa: 'ca.',
  decade: (first) => `jaren ${first}`,
  century: (first) => `tussen ${first} en ${first + 99}`,
  undated: 'ongedateerd',

  // Records.
  personOrInstitution: 'Persoon of instelling',
  dutchOnly: '',
  notes: 'Noten',
  note: 'Noot',
  back: 'Terug naar de tekst',
  born: 'Geboren',
  died: 'Overleden',
  places: 'Plaatsen',
  companions: 'Komt voor met',
  sharedEvents: count('gebeurtenis', 'gebeurtenissen'),
  related: 'Gerelateerde locaties',
  narrower: 'Engere onderwerpen',
  narrowerCount: count('enger onderwerp', 'engere onderwerpen'),
  under: (name) => `onder ${name}`,
  siblings: 'Naast dit onderwerp',
  trail: 'Kruimelpad',
  contents: 'Op deze pagina',
  text: 'Tekst',
  readAll: 'Lees alles',
  foldText: 'Klap de tekst in',
  neighbours: 'Vorige en volgende',
  previous: 'Vorige',
  next: 'Volgende',
  copy: 'Kopieer',
  copied: 'Gekopieerd',
  missingPicture: 'De afbeelding kan niet worden geladen.',
  where: 'Waar',
  elsewhere: 'In andere thesauri',
  pictures: 'Afbeeldingen',
  cite: 'Citeer deze pagina',
  edition: 'editie',
  asJson: 'Dit record als JSON',
  all: (number) => `Toon alle ${number}`,

  // Lists.
  waysOfKind: {
    person: 'op naam',
    subject: 'per hoofdonderwerp',
    location: 'op naam',
    event: 'per decennium',
  },
  timeline: 'Gebeurtenissen in de tijd',
  timelineLead: 'Kies een decennium om de gebeurtenissen te zien.',
  letters: 'Namen op beginletter',
  newest: 'Recent gewijzigd',
  feed: 'Volg de wijzigingen (Atom-feed)',
  pages: 'Pagina’s',
  pageOf: (number, last) => `Pagina ${number} van ${last}`,

  // Search.
  searchLabel: 'Zoek in het archief',
  placeholder: 'Een naam, een plaats, een woord …',
  go: 'Zoek',
  results: (number, written) => (number === 1 ? '1 resultaat' : `${written} resultaten`),
  nothing: 'Geen resultaten.',
  hint: 'Probeer minder woorden of een andere spelling.',
  sort: 'Sorteer op:',
  sorts: { relevance: 'relevantie', name: 'naam', date: 'datum', '-date': 'datum, nieuwste eerst' },
  narrow: 'Resultaten filteren',
  used: 'Gebruikte filters',
  remove: (label) => `Filter verwijderen: ${label}`,
  facets: { kind: 'Soort', century: 'Eeuw', city: 'Plaats', subject: 'Onderwerp', gender: 'Geslacht' },
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
  asData: 'Downloaden als:',

  // Help on search.
  help: 'Hoe zoekt u?',
  helpLead: 'Kies een voorbeeld, en pas het aan.',
  examples: {
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
  folding: 'Hoofdletters en accenten maken geen verschil, en ij en y ook niet.',
  allFields: 'Alle velden, in de documentatie (Engels)',

  // Maps.
  onMap: 'Op de kaart',
  mapHelp:
    'Kaart. Verschuif de kaart met de pijltjestoetsen, zoom met plus en min, en ga met Tab van plaats naar plaats.',
  zoomIn: 'Inzoomen',
  zoomOut: 'Uitzoomen',
  close: 'Sluiten',
  placesOnMap: 'plaatsen',

  // Errors.
  notFound: 'Pagina niet gevonden',
  notFoundLead: 'Er is geen pagina op dit adres.',
  toHome: 'Naar de startpagina',
  again: 'Probeer het opnieuw',
  problems: 'Foutmeldingen',
};
