import { LANGUAGES } from '@archiefkast/types';
import { beforeEach, expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { checkEdition } from './check-edition.ts';

const COUNTS = { person: 2, subject: 0, location: 0, event: 1 };

const { database } = useTemporaryDatabase({ tables: true });

/** An edition of two persons, and an event that embeds both. */
beforeEach(async () => {
  const columns = await database()('records').columnInfo();
  const digest = 'digest' in columns ? { digest: 'x' } : {};
  for (const [kind, position] of [
    ['person', 1],
    ['person', 2],
    ['event', 1],
  ] as const) {
    await database()('records').insert({
      edition: 1,
      kind,
      position,
      id: position,
      uuid: `${kind}-${position}`,
      ...digest,
    });
    for (const language of LANGUAGES) {
      const row = { edition: 1, language, position, text: '{}' };
      await database()('texts').insert({ ...row, form: kind });
      if (kind === 'event') await database()('texts').insert({ ...row, form: 'abbreviated_event' });
    }
  }
  const link = { edition: 1, source_form: 'event', source: 1, target_form: 'person' };
  await database()('links').insert({ ...link, ordinal: 0, target: 2 });
  await database()('links').insert({ ...link, ordinal: 1, target: 1 });
});

test('accepts a complete edition', async () => {
  await expect(checkEdition(database(), 1, COUNTS)).resolves.toBeUndefined();
});

test.each([
  [
    'a text is missing',
    () => database()('texts').where({ language: 'nl', form: 'person', position: 2 }).del(),
    /texts of .*language nl.*person.*expected positions 1 to 2, found 1 from 1 to 1/,
  ],
  [
    'an abbreviated event is missing',
    () => database()('texts').where({ form: 'abbreviated_event' }).del(),
    /abbreviated_event.*expected positions 1 to 1, found 0/,
  ],
  [
    'a position is skipped',
    () => database()('texts').where({ language: 'en', form: 'person', position: 2 }).update({ position: 3 }),
    /expected positions 1 to 2, found 2 from 1 to 3/,
  ],
  [
    'a position is 0',
    () => database()('texts').where({ language: 'en', form: 'person', position: 1 }).update({ position: 0 }),
    /expected positions 1 to 2, found 2 from 0 to 2/,
  ],
  [
    'a record is missing',
    () => database()('records').where({ kind: 'person', position: 1 }).del(),
    /records of .*kind person.*expected positions 1 to 2, found 1 from 2 to 2/,
  ],
  [
    'a link leads to a missing record',
    () => database()('links').where({ ordinal: 1 }).update({ target: 9 }),
    /the event at position 1 embeds a missing record/,
  ],
] as const)('rejects an edition in which %s', async (_, spoil, said) => {
  await spoil();
  await expect(checkEdition(database(), 1, COUNTS)).rejects.toThrow(said);
});
