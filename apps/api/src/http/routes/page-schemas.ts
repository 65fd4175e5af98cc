import {
  COLLECTIONS,
  envelopeSchema,
  type Kind,
  recordSchemas,
  searchEntrySchema,
  selectedEntrySchema,
  selectedRecordSchemas,
} from '@archiefkast/types';
import type { z } from 'zod';

/** A page of the list of each kind. */
export const pageSchemas: Readonly<Record<Kind, z.ZodType>> = {
  person: pageOf('person', 'PersonPage'),
  subject: pageOf('subject', 'SubjectPage'),
  location: pageOf('location', 'LocationPage'),
  event: pageOf('event', 'EventPage'),
};

/** A page of search. */
export const searchPageSchema = envelopeSchema(searchEntrySchema).meta({
  id: 'SearchPage',
  description: 'A page of search.',
});

/** A page of the list of each kind, with some fields of the records. */
export const selectedPageSchemas: Readonly<Record<Kind, z.ZodType>> = {
  person: selectedPageOf('person', 'PersonFieldsPage'),
  subject: selectedPageOf('subject', 'SubjectFieldsPage'),
  location: selectedPageOf('location', 'LocationFieldsPage'),
  event: selectedPageOf('event', 'EventFieldsPage'),
};

/** A page of search, with some fields of the records. */
export const selectedSearchPageSchema = envelopeSchema(selectedEntrySchema).meta({
  id: 'SearchFieldsPage',
  description: 'A page of search, with the fields asked for.',
});

function selectedPageOf(kind: Kind, id: string): z.ZodType {
  return envelopeSchema<z.ZodType>(selectedRecordSchemas[kind]).meta({
    id,
    description: `A page of the list of ${COLLECTIONS[kind]}, with the fields asked for.`,
  });
}

function pageOf(kind: Kind, id: string): z.ZodType {
  return envelopeSchema<z.ZodType>(recordSchemas[kind]).meta({
    id,
    description: `A page of the list of ${COLLECTIONS[kind]}.`,
  });
}
