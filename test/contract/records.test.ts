import { COLLECTIONS, KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { HARD_TEXT, uuidOf } from '../support/fixture/names.ts';
import { LARGEST_ID } from '../support/fixture/subjects.ts';
import { getJson, type Json, walkArchive } from '../support/walk.ts';
import {
  abbreviatedEvent301,
  fullEvent301,
  location201,
  page,
  person101,
  ref,
  subject1,
} from './expected-records.ts';

const MULTILINGUAL: Record<Kind, readonly string[]> = {
  person: ['title', 'content', 'summary'],
  subject: ['name', 'description', 'summary'],
  location: ['name', 'content', 'summary'],
  event: ['name', 'content', 'summary'],
};

/** The records of the fixture with Dutch texts only. */
const DUTCH_ONLY: Record<Kind, number> = { person: 102, subject: 2, location: 202, event: 302 };

/** The records of the fixture with only an id and a uuid in the bundle. */
const BARE: Record<Kind, number> = { person: 108, subject: 0, location: 204, event: 308 };

describeFixture('records', (archive) => {
  const records = {} as Record<'en' | 'nl', Record<Kind, Json[]>>;
  const find = (language: 'en' | 'nl', kind: Kind, id: number) => {
    const found = records[language][kind].find((record) => record['id'] === id);
    if (!found) throw new Error(`there is no ${kind} ${id}`);
    return found;
  };
  beforeAll(async () => {
    for (const language of LANGUAGES) records[language] = await walkArchive(archive(), language);
  });

  describe.each(LANGUAGES)('in %s', (language) => {
    test('a full person is served field by field', () => {
      expect(find(language, 'person', 101)).toEqual(person101(language));
    });

    test('a full subject is served field by field', () => {
      expect(find(language, 'subject', 1)).toEqual(subject1(language));
    });

    test('a full location is served with abbreviated events by id, and full subjects in their order', () => {
      const { events, subjects, ...location } = find(language, 'location', 201);
      expect(location).toEqual(location201(language));
      expect(subjects).toEqual([2, 1, LARGEST_ID].map((id) => find(language, 'subject', id)));
      expect((events as Json[]).map(({ id }) => id)).toEqual([301, 303, 305]);
      expect((events as Json[])[0]).toEqual(abbreviatedEvent301(language));
    });

    test('a full event is served with full persons in their order and a full location', () => {
      const embedded = [
        find(language, 'person', 109),
        find(language, 'person', 106),
        find(language, 'location', 201),
      ];
      expect(find(language, 'event', 301)).toEqual(fullEvent301(language, embedded));
    });

    test('only an abbreviated event has its own subjects; one in the list has none', () => {
      for (const event of records[language].event) expect(event).not.toHaveProperty('subjects');
      for (const { events } of records[language].location) {
        for (const event of events as Json[]) expect(event['subjects']).toBeInstanceOf(Array);
      }
    });

    test('every record embedded in an event equals the record in its list', () => {
      for (const event of records[language].event) {
        for (const person of event['persons'] as Json[]) {
          expect(person).toEqual(find(language, 'person', Number(person['id'])));
        }
        const location = event['location'] as Json | null;
        if (location) expect(location).toEqual(find(language, 'location', Number(location['id'])));
      }
    });

    test('location_events are the ids of the events of the location', () => {
      for (const { events, location_events } of records[language].location) {
        expect((events as Json[]).map(({ id }) => id)).toEqual(location_events);
      }
    });

    test('every event is in the list of its location, abbreviated', () => {
      for (const event of records[language].event) {
        const location = event['location'] as Json | null;
        if (!location) continue;
        const [abbreviated] = (location['events'] as Json[]).filter(({ id }) => id === event['id']);
        expect(abbreviated).toMatchObject({
          uuid: event['uuid'],
          name: event['name'],
          location: ref(language, 'location', Number(location['id'])),
          persons: (event['persons'] as Json[]).map(({ id }) => ref(language, 'person', Number(id))),
        });
      }
    });

    test.each(KINDS)('%s: lists are ordered by id', (kind) => {
      const ids = records[language][kind].map(({ id }) => Number(id));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    });

    test.each(KINDS)('%s: the detail equals the object in the list', async (kind) => {
      for (const record of records[language][kind]) {
        const detail = await getJson(archive(), `/${language}/api/${COLLECTIONS[kind]}/${record['uuid']}`);
        expect(detail).toEqual(record);
        expect(Object.keys(detail)).toEqual(Object.keys(record));
      }
    });

    test.each(KINDS)('%s: the page of a record is an absolute link', (kind) => {
      for (const { id, url } of records[language][kind]) expect(url).toBe(page(language, kind, Number(id)));
    });

    test('a subject names its parent by id, even a large one, but not an unpublished parent', () => {
      const parentOf = (id: number) => find(language, 'subject', id)['parent'];
      expect([LARGEST_ID, 1, 2, 3, 4, 5].map(parentOf)).toEqual([1, null, 1, null, LARGEST_ID, 4]);
    });

    test('an event without a location, or with an unpublished one, has a null location', () => {
      expect(find(language, 'event', 308)['location']).toBeNull();
      expect(find(language, 'event', 309)['location']).toBeNull();
      expect(find(language, 'event', 304)).toMatchObject({ location: null, persons: [] });
    });

    test('the subjects of an event come from its location if the harvested event has none', () => {
      const events = find(language, 'location', 207)['events'] as Json[];
      expect(events.map(({ id, subjects }) => [id, subjects])).toEqual([
        [306, [ref(language, 'subject', 4)]],
        [307, [ref(language, 'subject', 2)]],
      ]);
    });

    test('a location without coordinates has no position', () => {
      expect(find(language, 'location', 204)).toMatchObject({ latitude: '', longitude: '', position: '' });
      expect(find(language, 'location', 206)).toMatchObject({ latitude: '', longitude: '4.5', position: '' });
    });

    test('coordinates keep their digits', () => {
      expect(find(language, 'location', 205)).toMatchObject({
        latitude: '-33.90',
        longitude: '-151.2',
        position: 'SRID=4326;POINT (-151.2 -33.90)',
      });
    });

    test('difficult texts are served unchanged', () => {
      expect(find(language, 'person', 107)).toMatchObject({
        title_en: HARD_TEXT,
        content: HARD_TEXT,
        content_nl: HARD_TEXT,
        summary: HARD_TEXT,
      });
      expect(find(language, 'location', 206)['content_en']).toBe(HARD_TEXT);
      expect(find(language, 'event', 306)['content_en']).toBe(HARD_TEXT);
    });

    test('dates stay text: a leap day of the Julian calendar; an empty date is null', () => {
      expect(find(language, 'person', 104)).toMatchObject({ birth_date: '1500-02-29', death_date: null });
      expect(find(language, 'event', 302)).toMatchObject({
        date: null,
        date_start: '1602-03-20',
        date_end: '1602-03-21',
      });
    });

    describe.each(KINDS)('%s: multilingual fields', (kind) => {
      test.each(MULTILINGUAL[kind])('%s is the Dutch text if the English one is missing', (field) => {
        const record = find(language, kind, DUTCH_ONLY[kind]);
        expect(record[`${field}_nl`]).not.toBe('');
        expect(record[`${field}_en`]).toBe(field === 'title' ? null : '');
        expect(record[field]).toBe(record[`${field}_nl`]);
      });

      test.each(MULTILINGUAL[kind])('%s is the text of the language of the request', (field) => {
        for (const record of records[language][kind]) {
          const english = record[`${field}_en`] || record[`${field}_nl`];
          expect(record[field]).toBe(language === 'en' ? english : record[`${field}_nl`]);
        }
      });
    });

    test.each([
      ['person', 105, 'title'],
      ['location', 203, 'name'],
      ['event', 309, 'name'],
    ] as const)('%s %i: there is no falling back from Dutch to English', (kind, id, field) => {
      const record = find(language, kind, id);
      expect(record[`${field}_nl`]).toBe('');
      expect(record[field]).toBe(language === 'en' ? 'English only' : '');
    });

    test('a missing English title stays null, an empty one empty', () => {
      expect(find(language, 'person', 102)).toMatchObject({ title_en: null, title: 'Gerrit van der Meer' });
      expect(find(language, 'person', 103)).toMatchObject({ title_en: '', title: 'Sigisbert Bosch - Reitz' });
    });

    test.each(KINDS)('%s: fields that are missing in a bundle are empty', (kind) => {
      const { id, uuid, url, published, ...rest } = find(language, kind, BARE[kind]);
      expect({ id, uuid, published, url }).toEqual({
        id: BARE[kind],
        uuid: uuidOf(kind, BARE[kind]),
        published: true,
        url: page(language, kind, BARE[kind]),
      });
      const nullable = ['image', 'main_image', 'location', 'same_as', 'parent', 'title_en'];
      const lists = [
        'pictures',
        'subjects',
        'files',
        'events',
        'related_locations',
        'location_events',
        'persons',
      ];
      for (const [field, value] of Object.entries(rest)) {
        if (nullable.includes(field) || /date/.test(field)) expect(value, field).toBeNull();
        else if (lists.includes(field)) expect(value, field).toEqual([]);
        else expect(value, field).toBe('');
      }
    });
  });
});
