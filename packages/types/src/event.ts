import { z } from 'zod';
import { date, id, multilingual, noSameAs, pageUrl, published, uuid } from './fields.ts';
import { fileObjectSchema } from './file-object.ts';
import { locationSchema } from './location.ts';
import { personSchema } from './person.ts';

/** An event, as the list, the detail and search serve it. */
export const eventSchema = z
  .strictObject({
    id,
    main_image: fileObjectSchema.nullable().meta({ description: 'Main image, or null.' }),
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
    persons: z.array(personSchema).meta({ description: 'Persons of the event, in full.' }),
    location: locationSchema
      .nullable()
      .meta({ description: 'Location of the event, in full; null when unknown.' }),
    url: pageUrl('event'),
    published,
    uuid,
    ...multilingual('name', 'Name.'),
    ...multilingual('content', 'Description (HTML fragment).'),
    date: date('Date of the event.'),
    date_start: date('First day of an event of several days.'),
    date_end: date('Last day of an event of several days.'),
    ...multilingual('summary', 'Summary.'),
    same_as: noSameAs,
  })
  .meta({ id: 'Event', description: 'An event, with its persons and its location.' });

/** An event. */
export type Event = z.infer<typeof eventSchema>;
