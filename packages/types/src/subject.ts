import { z } from 'zod';
import { absoluteUrl, id, multilingual, pageUrl, published, uuid } from './fields.ts';
import { fileObjectSchema } from './file-object.ts';

/** A subject, as the list, the detail, search and locations serve it. */
export const subjectSchema = z
  .strictObject({
    id,
    image: fileObjectSchema.nullable().meta({ description: 'Image, or null.' }),
    url: pageUrl('subject'),
    published,
    uuid,
    ...multilingual('name', 'Name.'),
    ...multilingual('description', 'Description (HTML fragment).'),
    ...multilingual('summary', 'Summary; may be empty.'),
    same_as: z
      .array(absoluteUrl)
      .nullable()
      .meta({ description: 'Absolute URLs of the same subject in external vocabularies, or null.' }),
    parent: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'id of the parent subject; null for a top-level subject.' }),
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
  })
  .meta({ id: 'Subject', description: 'A topic in the hierarchy of subjects.' });

/** A subject. */
export type Subject = z.infer<typeof subjectSchema>;
