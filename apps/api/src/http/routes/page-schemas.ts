import { COLLECTIONS, envelopeSchema, type Kind, recordSchemas, searchEntrySchema } from '@archive/types';
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

function pageOf(kind: Kind, id: string): z.ZodType {
  return envelopeSchema<z.ZodType>(recordSchemas[kind]).meta({
    id,
    description: `A page of the list of ${COLLECTIONS[kind]}.`,
  });
}
