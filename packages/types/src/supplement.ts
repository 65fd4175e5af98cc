import { z } from 'zod';
import { EDTF, partsOfDate } from './dates.ts';
import { id, uuid } from './field-schemas.ts';

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

export const supplementSchema = z
  .strictObject({
    kind: z.enum(['person', 'event']).meta({ description: 'Kind of the record.' }),
    id,
    uuid,
    dates: knownDatesSchema.optional().meta({
      description: 'Dates of which less than a day is known, in EDTF: 1650, 1650-03, 165X, 1650~, 1650?.',
    }),
    subjects: z
      .array(uuid)
      .optional()
      .meta({ description: 'UUIDs of the subjects of an event that has no location.' }),
  })
  .meta({ description: 'What a record of the API cannot say.' });

/** What a record of the API cannot say: of which dates less than a day is known, and the subjects of an event without location. */
export type Supplement = z.infer<typeof supplementSchema>;
