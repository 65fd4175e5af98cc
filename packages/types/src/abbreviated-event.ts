import { z } from 'zod';
import { date, id, multilingual, noSameAs, pageUrl, published, reference, uuid } from './fields.ts';
import { fileObjectSchema } from './file-object.ts';

/** The form of an event in a location's `events`: references are URLs in place of records. */
export const abbreviatedEventSchema = z
  .strictObject({
    id,
    main_image: fileObjectSchema.nullable().meta({ description: 'Main image, or null.' }),
    url: pageUrl('event'),
    subjects: z.array(reference('subject')).meta({ description: 'Subjects of the event.' }),
    persons: z.array(reference('person')).meta({ description: 'Persons of the event.' }),
    location: reference('location').nullable().meta({ description: 'Location of the event.' }),
    published,
    uuid,
    ...multilingual('name', 'Name.'),
    ...multilingual('content', 'Description (HTML fragment).'),
    ...multilingual('summary', 'Summary.'),
    date: date('Date of the event.'),
    date_start: date('First day of an event of several days.'),
    date_end: date('Last day of an event of several days.'),
    same_as: noSameAs,
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
  })
  .meta({ id: 'AbbreviatedEvent', description: 'An event as a location lists it.' });

/** An event as a location lists it. */
export type AbbreviatedEvent = z.infer<typeof abbreviatedEventSchema>;
