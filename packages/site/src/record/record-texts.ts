import type { Kind, Language } from '@archiefkast/types';

/** The texts of record pages. */
export interface RecordTexts {
  kind: Readonly<Record<Kind, string>>;
  personOrInstitution: string;
  dutchOnly: string;
  notes: string;
  note: string;
  back: string;
  born: string;
  died: string;
  events: string;
  persons: string;
  places: string;
  subjects: string;
  companions: string;
  shared: (count: number) => string;
  related: string;
  narrower: string;
  narrowerCount: (count: number) => string;
  under: (name: string) => string;
  siblings: string;
  trail: string;
  contents: string;
  text: string;
  readAll: string;
  foldText: string;
  neighbours: string;
  previous: string;
  next: string;
  copy: string;
  copied: string;
  missingPicture: string;
  where: string;
  elsewhere: string;
  pictures: string;
  cite: string;
  asJson: string;
  all: (count: string) => string;
  undated: string;
  consulted: string;
  onMap: string;
}

const EN: RecordTexts = {
  kind: { person: 'Person', subject: 'Subject', location: 'Location', event: 'Event' },
  personOrInstitution: 'Person or institution',
  dutchOnly: 'This text is available in Dutch only.',
  notes: 'Notes',
  note: 'Note',
  back: 'Back to the text',
  born: 'Born',
  died: 'Died',
  events: 'Events',
  persons: 'Persons',
  places: 'Places',
  subjects: 'Subjects',
  companions: 'Appears with',
  shared: (count) => (count === 1 ? '1 event' : `${count} events`),
  related: 'Related locations',
  narrower: 'Narrower subjects',
  narrowerCount: (count) => (count === 1 ? '1 narrower subject' : `${count} narrower subjects`),
  under: (name) => `under ${name}`,
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
  asJson: 'This record as JSON',
  all: (count) => `Show all ${count}`,
  undated: 'undated',
  consulted: 'edition',
  onMap: 'On the map',
};

const NL: RecordTexts = {
  kind: { person: 'Persoon', subject: 'Onderwerp', location: 'Locatie', event: 'Gebeurtenis' },
  personOrInstitution: 'Persoon of instelling',
  dutchOnly: '',
  notes: 'Noten',
  note: 'Noot',
  back: 'Terug naar de tekst',
  born: 'Geboren',
  died: 'Overleden',
  events: 'Gebeurtenissen',
  persons: 'Personen',
  places: 'Plaatsen',
  subjects: 'Onderwerpen',
  companions: 'Komt voor met',
  shared: (count) => (count === 1 ? '1 gebeurtenis' : `${count} gebeurtenissen`),
  related: 'Gerelateerde locaties',
  narrower: 'Engere onderwerpen',
  narrowerCount: (count) => (count === 1 ? '1 enger onderwerp' : `${count} engere onderwerpen`),
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
  asJson: 'Dit record als JSON',
  all: (count) => `Toon alle ${count}`,
  undated: 'ongedateerd',
  consulted: 'editie',
  onMap: 'Op de kaart',
};

/** The texts of record pages, by language. */
export const RECORD_TEXTS: Readonly<Record<Language, RecordTexts>> = { en: EN, nl: NL };
