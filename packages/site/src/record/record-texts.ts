import type { Kind, Language } from '@archiefkast/types';

/** The words of record pages. */
export interface RecordTexts {
  kind: Readonly<Record<Kind, string>>;
  kinds: Readonly<Record<Kind, string>>;
  dutchOnly: string;
  notes: string;
  note: string;
  back: string;
  born: string;
  died: string;
  life: string;
  events: string;
  persons: string;
  places: string;
  subjects: string;
  companions: string;
  shared: (count: number) => string;
  related: string;
  about: string;
  narrower: string;
  broader: string;
  top: string;
  address: string;
  coordinates: string;
  when: string;
  where: string;
  who: string;
  elsewhere: string;
  pictures: string;
  cite: string;
  citeLead: string;
  asJson: string;
  all: (count: string) => string;
  undated: string;
  consulted: string;
  credit: string;
  files: string;
  onMap: string;
}

const EN: RecordTexts = {
  kind: { person: 'Person', subject: 'Subject', location: 'Location', event: 'Event' },
  kinds: { person: 'Persons', subject: 'Subjects', location: 'Locations', event: 'Events' },
  dutchOnly: 'This text is available in Dutch only.',
  notes: 'Notes',
  note: 'Note',
  back: 'Back to the text',
  born: 'Born',
  died: 'Died',
  life: 'Life',
  events: 'Events',
  persons: 'Persons',
  places: 'Places',
  subjects: 'Subjects',
  companions: 'Appears with',
  shared: (count) => (count === 1 ? '1 event' : `${count} events`),
  related: 'Related locations',
  about: 'About this subject',
  narrower: 'Narrower subjects',
  broader: 'Broader subjects',
  top: 'All subjects',
  address: 'Address',
  coordinates: 'Coordinates',
  when: 'When',
  where: 'Where',
  who: 'Persons',
  elsewhere: 'In other vocabularies',
  pictures: 'Pictures',
  cite: 'Cite this page',
  citeLead: 'As text, and for BibTeX:',
  asJson: 'This record as JSON',
  all: (count) => `All ${count}`,
  undated: 'undated',
  consulted: 'edition',
  credit: 'Credit',
  files: 'Files',
  onMap: 'On the map',
};

const NL: RecordTexts = {
  kind: { person: 'Persoon', subject: 'Onderwerp', location: 'Locatie', event: 'Gebeurtenis' },
  kinds: { person: 'Personen', subject: 'Onderwerpen', location: 'Locaties', event: 'Gebeurtenissen' },
  dutchOnly: '',
  notes: 'Noten',
  note: 'Noot',
  back: 'Terug naar de tekst',
  born: 'Geboren',
  died: 'Overleden',
  life: 'Leven',
  events: 'Gebeurtenissen',
  persons: 'Personen',
  places: 'Plaatsen',
  subjects: 'Onderwerpen',
  companions: 'Komt voor met',
  shared: (count) => (count === 1 ? '1 gebeurtenis' : `${count} gebeurtenissen`),
  related: 'Verwante locaties',
  about: 'Over dit onderwerp',
  narrower: 'Engere onderwerpen',
  broader: 'Bredere onderwerpen',
  top: 'Alle onderwerpen',
  address: 'Adres',
  coordinates: 'Coördinaten',
  when: 'Wanneer',
  where: 'Waar',
  who: 'Personen',
  elsewhere: 'In andere thesauri',
  pictures: 'Afbeeldingen',
  cite: 'Citeer deze pagina',
  citeLead: 'Als tekst, en voor BibTeX:',
  asJson: 'Dit record als JSON',
  all: (count) => `Alle ${count}`,
  undated: 'ongedateerd',
  consulted: 'editie',
  credit: 'Naamsvermelding',
  files: 'Bestanden',
  onMap: 'Op de kaart',
};

/** The words of record pages, by language. */
export const RECORD_TEXTS: Readonly<Record<Language, RecordTexts>> = { en: EN, nl: NL };
