import { expect, test } from 'vitest';
import { dataPackage } from './data-package.ts';

const SOURCE = { homepage: 'https://a.test', language: 'en', edition: '3' };
const FILE = { bytes: 3, sha256: 'ab' };
const SUBJECTS = { ...FILE, name: 'subjects.csv', header: ['uuid', 'id', 'parent', 'same_as', 'age'] };
const EVENTS = { ...FILE, name: 'events.csv', header: ['uuid', 'date', 'location', 'year'] };

test('describes a table by the columns of its header', () => {
  const made = dataPackage(SOURCE, [SUBJECTS]);
  expect(made).toMatchObject({
    title: 'Archive at https://a.test',
    version: '3',
    resources: [
      {
        name: 'subjects',
        path: 'subjects.csv',
        type: 'table',
        bytes: 3,
        hash: 'sha256:ab',
        schema: {
          missingValues: [''],
          primaryKey: ['uuid'],
          foreignKeys: [{ fields: ['parent'], reference: { fields: ['id'] } }],
          fields: [
            { name: 'uuid', type: 'string', constraints: { required: true, unique: true } },
            { name: 'id', type: 'integer' },
            { name: 'parent', type: 'integer' },
            { name: 'same_as', type: 'list', delimiter: '|' },
            { name: 'age', type: 'string', description: 'A field that the contract does not know.' },
          ],
        },
      },
    ],
  });
  expect(made).not.toHaveProperty('licenses');
});

test('declares a foreign key if its table is in the package', () => {
  const locations = { ...FILE, name: 'locations.csv', header: ['uuid'] };
  const key = { fields: ['location'], reference: { resource: 'locations', fields: ['uuid'] } };
  const alone = dataPackage(SOURCE, [EVENTS]);
  expect(alone).not.toHaveProperty('resources.0.schema.foreignKeys');
  expect(dataPackage(SOURCE, [EVENTS, locations])).toMatchObject({
    resources: [{ schema: { foreignKeys: [key] } }, {}],
  });
});

test('includes the description of the archive, and lists other files', () => {
  const licence = { name: 'CC0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' };
  const source = { ...SOURCE, edition: null, title: 'Mine', description: 'All of it', licence };
  expect(dataPackage(source, [{ ...FILE, name: 'tables/Persons.csv' }])).toMatchObject({
    title: 'Mine',
    description: 'All of it',
    licenses: [{ title: 'CC0', path: licence.url }],
    resources: [
      { name: 'tables-persons.csv', path: 'tables/Persons.csv', format: 'csv', mediatype: 'text/csv' },
    ],
  });
});
