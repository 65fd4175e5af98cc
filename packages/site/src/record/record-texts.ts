import type { Kind, Language } from '@archiefkast/types';

/** The texts of record pages. */
export interface RecordTexts {
  kind: Readonly<Record<Kind, string>>;
  kinds: Readonly<Record<Kind, string>>;
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
  broader: string;
  top: string;
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
  kinds: { person: 'Persons', subject: 'Subjects', location: 'Locations', event: 'Events' },
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
  broader: 'Broader subjects',
  top: 'All subjects',
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
  kinds: { person: 'Personen', subject: 'Onderwerpen', location: 'Locaties', event: 'Gebeurtenissen' },
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
  broader: 'Bredere onderwerpen',
  top: 'Alle onderwerpen',
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
