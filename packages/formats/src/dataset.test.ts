import { expect, test } from 'vitest';
import { datasetOf } from './dataset.ts';

const HAS = 'The archive has 12 records of persons, subjects, locations and events.';

test.each([
  ['no description', undefined, `Oosterhaven. ${HAS}`],
  ['a short one', 'Photographs of a port.', `Photographs of a port. ${HAS}`],
  ['one that is long enough', 'x'.repeat(50), 'x'.repeat(50)],
  ['one that is too long', 'x'.repeat(5_001), `${'x'.repeat(4_999)}…`],
])(
  'the description of an archive with %s has the length that search engines require',
  (_, given, expected) => {
    const { description } = datasetOf({
      baseUrl: 'https://archive.test',
      identity: 'https://archive.test',
      archive: {
        title: { nl: 'Oosterhaven', en: 'Oosterhaven' },
        description: given === undefined ? given : { nl: given, en: given },
      },
      edition: { id: 1, publishedAt: new Date(0), total: 12 },
      distributions: [],
    });
    expect(description).toContainEqual({ '@value': expected, '@language': 'en' });
  },
);
