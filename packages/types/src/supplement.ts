import { z } from 'zod';
import { EDTF, partsOfDate } from './dates.ts';
import { id, uuid } from './field-schemas.ts';
import { KINDS } from './kinds.ts';

const error = 'expected a date in EDTF, such as 1650, 165X or 1650~';
const edtf = z
  .string()
  .regex(EDTF, { error, abort: true })
  .refine((text) => partsOfDate(text) !== undefined, { error })
  .optional();

export const knownDatesSchema = z.strictObject({
  birth_date: edtf.meta({ description: 'What is known of the date of birth.' }),
  death_date: edtf.meta({ description: 'What is known of the date of death.' }),
  date: edtf.meta({ description: 'What is known of the date of an event.' }),
  date_start: edtf.meta({ description: 'What is known of the first day of an event.' }),
  date_end: edtf.meta({ description: 'What is known of the last day of an event.' }),
});

/** What is known of the dates of a record, as EDTF by field, where that is less than a day. */
export type KnownDates = z.infer<typeof knownDatesSchema>;

const pixels = z.int().min(1);

const pictureSizeSchema = z.strictObject({
  uuid,
  width: pixels,
  height: pixels,
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .optional(),
});

/**
 * The size of a picture in pixels, as it is shown: on its side if its file says so. With the SHA-256 of its file, if smaller sizes and
 * tiles of it were made, which have that name.
 */
export type PictureSize = z.infer<typeof pictureSizeSchema>;

export const supplementSchema = z
  .strictObject({
    kind: z.enum(KINDS).meta({ description: 'Kind of the record.' }),
    id,
    uuid,
    dates: knownDatesSchema.optional().meta({
      description: 'Dates of which less than a day is known, in EDTF: 1650, 1650-03, 165X, 1650~, 1650?.',
    }),
    subjects: z
      .array(uuid)
      .optional()
      .meta({ description: 'UUIDs of the subjects of an event that has no location.' }),
    pictures: z.array(pictureSizeSchema).optional().meta({
      description:
        'The sizes of pictures of which they are known, each by the UUID of its file; with its SHA-256 if there are smaller sizes and tiles.',
    }),
    note: z
      .strictObject({ nl: z.string(), en: z.string() })
      .optional()
      .meta({ description: 'The content note of a subject, which is also that of the subjects below it.' }),
  })
  .meta({ description: 'What a record of the API cannot say.' });

/**
 * What a record of the API cannot say: of which dates less than a day is known, the subjects of an event without location, the
 * sizes of pictures, and the content note of a subject.
 */
export type Supplement = z.infer<typeof supplementSchema>;
