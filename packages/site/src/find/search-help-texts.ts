import type { Language } from '@archiefkast/types';

/** The examples of the help on search. */
export const EXAMPLE_NAMES = [
  'word',
  'words',
  'phrase',
  'either',
  'start',
  'without',
  'last_name',
  'born',
  'women',
  'place',
  'events',
  'events_in_years',
] as const;

/** The name of an example. */
export type ExampleName = (typeof EXAMPLE_NAMES)[number];

interface SearchHelpTexts {
  title: string;
  lead: string;
  examples: Readonly<Record<ExampleName, string>>;
  folding: string;
  fields: string;
}

const EN: SearchHelpTexts = {
  title: 'How to search',
  lead: 'Every example finds something in this archive. Choose one, and change it.',
  examples: {
    word: 'One word, in any text: names, summaries, descriptions, notes and captions.',
    words: 'Several words: all of them.',
    phrase: 'Quotation marks: these words together, in this order.',
    either: 'OR, in capitals: one of the two, or both.',
    start: 'An asterisk: words that start so. At least three letters.',
    without: 'A minus sign: without this.',
    last_name: 'A field and a value: persons with this last name, or a part of it.',
    born: 'Two dots: from and to. Either side may be left out.',
    women: 'Fields together: all of them. Here, the women.',
    place: 'A town, a street or a building: the location, the events there, and who was born or died there.',
    events: 'What happened in a town. The same works with street and place.',
    events_in_years: 'What happened in a period.',
  },
  folding: 'Capitals and accents make no difference, and neither do ij and y.',
  fields: 'All fields, in the documentation',
};

const NL: SearchHelpTexts = {
  title: 'Hoe zoekt u?',
  lead: 'Elk voorbeeld vindt iets in dit archief. Kies er een, en pas het aan.',
  examples: {
    word: 'Eén woord, in alle teksten: namen, samenvattingen, beschrijvingen, noten en bijschriften.',
    words: 'Meer woorden: allemaal.',
    phrase: 'Aanhalingstekens: deze woorden bij elkaar, in deze volgorde.',
    either: 'OR, in hoofdletters: een van beide, of allebei.',
    start: 'Een sterretje: woorden die zo beginnen. Ten minste drie letters.',
    without: 'Een minteken: zonder dit.',
    last_name: 'Een veld en een waarde: personen met deze achternaam, of een deel ervan.',
    born: 'Twee punten: van en tot en met. Eén kant mag open blijven.',
    women: 'Velden bij elkaar: alle tegelijk. Hier de vrouwen.',
    place:
      'Een stad, straat of gebouw: de locatie, de gebeurtenissen daar, en wie er geboren of gestorven is.',
    events: 'Wat er in een stad gebeurde. Het kan ook met street en place.',
    events_in_years: 'Wat er in een periode gebeurde.',
  },
  folding: 'Hoofdletters en accenten maken geen verschil, en ij en y ook niet.',
  fields: 'Alle velden, in de documentatie (Engels)',
};

/** The texts of the help on search, by language. */
export const SEARCH_HELP_TEXTS: Readonly<Record<Language, SearchHelpTexts>> = { en: EN, nl: NL };
