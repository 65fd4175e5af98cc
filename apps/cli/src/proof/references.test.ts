import { expect, test } from 'vitest';
import { namedKinds, referencesOf } from './references.ts';

const subject = 'b0000000-0000-4000-8000-000000000001';
const person = 'a0000000-0000-4000-8000-000000000001';
const location = 'c0000000-0000-4000-8000-000000000001';
const event = 'd0000000-0000-4000-8000-000000000001';
const api = 'http://a.test/en/api';

test('a person refers to subjects', () => {
  expect(referencesOf('person', { subjects: [`${api}/subjects/${subject}`] })).toEqual([
    { field: 'subjects', kind: 'subject', key: subject },
  ]);
});

test('a subject refers to its parent by id', () => {
  expect(referencesOf('subject', { parent: 8_589_934_592 })).toEqual([
    { field: 'parent', kind: 'subject', key: '8589934592' },
  ]);
  expect(referencesOf('subject', { parent: null })).toEqual([]);
});

test('embedded records are followed', () => {
  const embedded = {
    uuid: location,
    related_locations: [],
    subjects: [{ uuid: subject, parent: null }],
    events: [
      { uuid: event, persons: [`${api}/persons/${person}`], location: `${api}/locations/${location}` },
    ],
  };
  expect(referencesOf('event', { persons: [{ uuid: person }], location: embedded })).toEqual([
    { field: 'persons', kind: 'person', key: person },
    { field: 'location', kind: 'location', key: location },
    { field: 'location.subjects', kind: 'subject', key: subject },
    { field: 'location.events', kind: 'event', key: event },
    { field: 'location.events.persons', kind: 'person', key: person },
    { field: 'location.events.location', kind: 'location', key: location },
  ]);
  expect(referencesOf('event', { persons: [], location: null })).toEqual([]);
});

test('an invalid reference is kept, so that it is reported', () => {
  expect(referencesOf('person', { subjects: ['nonsense'] })).toEqual([
    { field: 'subjects', kind: 'subject', key: 'nonsense' },
  ]);
});

test.for([
  ['person', ['subject']],
  ['subject', ['subject']],
  ['location', ['event', 'location', 'person', 'subject']],
  ['event', ['event', 'location', 'person', 'subject']],
] as const)('records of the kind %s refer to %j, also in embedded records', ([kind, named]) => {
  expect([...namedKinds(kind)].toSorted()).toEqual(named);
});
