import { z } from 'zod';
import { date, id, multilingual, noSameAs, pageUrl, published, reference, text, uuid } from './fields.ts';
import { fileObjectSchema } from './file-object.ts';

/** A person, as the list, the detail, search and the event list serve it. */
export const personSchema = z
  .strictObject({
    id,
    image: fileObjectSchema.nullable().meta({ description: 'Portrait, or null.' }),
    pictures: z.array(z.unknown()).meta({ description: 'Pictures; empty on all records seen.' }),
    url: pageUrl('person'),
    subjects: z.array(reference('subject')).meta({ description: 'Subjects of the person.' }),
    published,
    uuid,
    first_name: text('Given name or names, or the whole name of an entry that is not human.'),
    last_name: text(
      'Last name, without infix; may be a double name with spaces around its hyphen; may be empty.',
    ),
    infix: text('Name particle such as "van der"; may be empty.'),
    ...multilingual('title', 'Full display name.'),
    title_en: z.string().nullable().meta({ description: 'Full display name. In English; may be null.' }),
    ...multilingual('content', 'Biography (HTML fragment).'),
    birth_date: date('Date of birth.'),
    death_date: date('Date of death.'),
    gender: text('Gender: "male" is the only value the contract has seen.'),
    birth_place: text('Place of birth; may be empty.'),
    birth_country: text('Country of birth, possibly in Dutch; may be empty.'),
    death_place: text('Place of death; may be empty.'),
    death_country: text('Country of death, possibly in Dutch; may be empty.'),
    ...multilingual('summary', 'Summary; may be empty.'),
    same_as: noSameAs,
    files: z.array(fileObjectSchema).meta({ description: 'Files; empty on records seen.' }),
  })
  .meta({ id: 'Person', description: 'A person, or an entry that is not human, such as a company.' });

/** A person. */
export type Person = z.infer<typeof personSchema>;
