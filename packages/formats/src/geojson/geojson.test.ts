import { expect, test } from 'vitest';
import { type MappedEvent, type MappedLocation, mappedEventSchema, toEventFeature } from './geojson.ts';

const UUID = '3e0a5b0e-5a0e-4c0e-8e0e-000000000001';
const NAMES = { name: 'Fire', name_nl: 'Brand', name_en: 'Fire' };
const LOCATION: MappedLocation = {
  ...NAMES,
  uuid: UUID,
  id: 1,
  url: 'https://a.test/en/locaties/3e0a5b0e-5a0e-4c0e-8e0e-000000000001/',
  name: 'Dam',
  summary: '',
  latitude: '52.373',
  longitude: '4.893',
  street: '',
  zipcode: '',
  city: 'Amsterdam',
  state: '',
  land: '',
};
const EVENT: MappedEvent = {
  ...NAMES,
  uuid: UUID,
  id: 1,
  summary: 's',
  url: 'https://a.test/en/gebeurtenissen/3e0a5b0e-5a0e-4c0e-8e0e-000000000001/',
  persons: [{ title: 'Jan' }, { title: 'Piet' }],
  location: LOCATION,
  date: null,
  date_start: '1629-05-01',
  date_end: '1629-05-03',
};

test('an event is a point at its location, with its dates and year', () => {
  expect(toEventFeature(EVENT)).toEqual({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [4.893, 52.373] },
    properties: {
      uuid: UUID,
      id: 1,
      url: 'https://a.test/en/gebeurtenissen/3e0a5b0e-5a0e-4c0e-8e0e-000000000001/',
      ...NAMES,
      summary: 's',
      date: null,
      date_start: '1629-05-01',
      date_end: '1629-05-03',
      year: 1629,
      location: UUID,
      location_name: 'Dam',
      city: 'Amsterdam',
      persons: 2,
      person_names: 'Jan, Piet',
    },
  });
});

test.each([
  [null, { location: null, location_name: null }],
  [{ ...LOCATION, latitude: '', longitude: '' }, { location_name: 'Dam' }],
])('an event at %o has no geometry', (location, properties) => {
  const feature = toEventFeature({ ...EVENT, location, date_start: null, date_end: null });
  expect(feature).toMatchObject({ geometry: null, properties: { ...properties, year: null } });
});

test('unknown fields are dropped at any depth', () => {
  const event = { ...EVENT, age: 3, location: { ...LOCATION, age: 3 }, persons: [{ title: 'Jan', age: 3 }] };
  expect(mappedEventSchema.parse(event)).toEqual({ ...EVENT, persons: [{ title: 'Jan' }] });
});
