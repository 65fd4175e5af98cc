import { z } from 'zod';
import { absoluteUrl, text, uuid } from './fields.ts';

/** A file or image: `image`, `main_image` and the elements of `files`. */
export const fileObjectSchema = z
  .strictObject({
    id: z.int().min(0).meta({ description: 'Number of the file.' }),
    uuid: uuid.meta({ description: 'UUID of the file.' }),
    name: text('Name; may be empty.'),
    title: text('Caption.'),
    alt: text('Credit line.'),
    url: z
      .union([absoluteUrl, z.literal('')])
      .meta({ description: 'Absolute URL of an externally hosted file, or "".' }),
    path: absoluteUrl
      .nullable()
      .meta({ description: 'Absolute URL of a file hosted by the service, or null.' }),
    filetype: text('Type of the file: "image" occurs.'),
    description: text('Description; may be empty.'),
    author: text('Usage statement.'),
    copyright: text('Rights statement; may be empty.'),
  })
  .meta({ id: 'FileObject', description: 'A file or image.' });

/** A file or image. */
export type FileObject = z.infer<typeof fileObjectSchema>;
