import { eventCollectionSchema, locationCollectionSchema } from '@archiefkast/formats';
import { describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED } from '../support/fixture/fixture-bundle.ts';
import { getJson, type Json, walkRecords } from '../support/walk.ts';

describeFixture('the maps', (archive) => {
  const locations = async (query = '') =>
    locationCollectionSchema.parse(await getJson(archive(), `/en/api/locations.geojson${query}`)).features;
  const events = async (query = '') =>
    eventCollectionSchema.parse(await getJson(archive(), `/nl/api/events.geojson${query}`)).features;

  test('of events has each at its location, with its dates and persons', async () => {
    const features = await events();
    const records = await walkRecords(archive(), '/nl/api/events');
    expect(features).toHaveLength(SERVED.event);
    for (const [index, event] of records.entries()) {
      const location = event['location'] as Json | null;
      const date = event['date'] ?? event['date_start'] ?? event['date_end'];
      const { geometry, properties } = features[index] ?? {};
      expect(geometry).toEqual(
        location?.['latitude']
          ? { type: 'Point', coordinates: [Number(location['longitude']), Number(location['latitude'])] }
          : null,
      );
      expect(properties).toEqual({
        uuid: event['uuid'],
        id: event['id'],
        url: event['url'],
        name: event['name'],
        name_nl: event['name_nl'],
        name_en: event['name_en'],
        summary: event['summary'],
        date: event['date'],
        date_start: event['date_start'],
        date_end: event['date_end'],
        ...{ date_known: null, date_start_known: null, date_end_known: null },
        year: date === null ? null : Number(String(date).slice(0, 4)),
        location: location?.['uuid'] ?? null,
        location_name: location?.['name'] ?? null,
        city: location?.['city'] ?? null,
        persons: (event['persons'] as Json[]).length,
        person_names: (event['persons'] as Json[]).map(({ title }) => title).join(', '),
      });
    }
  });

  describe('within a bounding box', () => {
    const BOXES: readonly [bbox: string, isInside: (longitude: number, latitude: number) => boolean][] = [
      ['4.49,52.1,4.5,52.2', (x, y) => x >= 4.49 && x <= 4.5 && y >= 52.1 && y <= 52.2],
      ['-180,-90,180,90', () => true],
      ['150,-90,-150,90', (x) => x >= 150 || x <= -150],
      ['0,0,1,1', (x, y) => x >= 0 && x <= 1 && y >= 0 && y <= 1],
    ];

    test.each(BOXES)('%s: the locations and events inside it', async (bbox, isInside) => {
      const inside = ({ geometry }: { geometry: { coordinates: number[] } | null }) =>
        geometry !== null && isInside(geometry.coordinates[0] ?? 0, geometry.coordinates[1] ?? 0);
      expect(await locations(`?bbox=${bbox}`)).toEqual((await locations()).filter(inside));
      expect(await events(`?bbox=${bbox}`)).toEqual((await events()).filter(inside));
    });

    test('numbers can be written in several ways', async () => {
      const tags = await Promise.all(
        ['4.80,52.3,5.0,52.4', ' 4.8,52.30, +5,52.4', '4.8,52.3,5,52.4'].map(async (bbox) => {
          const response = await archive().fetch(
            `/en/api/locations.geojson?bbox=${encodeURIComponent(bbox)}`,
          );
          return response.headers.get('etag');
        }),
      );
      expect(new Set(tags).size).toBe(1);
    });
  });

  test.each(['1,2,3', '1,2,3,4,5', 'a,b,c,d', '1,3,2,2', '181,0,182,1', '0,-91,1,0', '1,,2,3', '1e1,0,2,3'])(
    'bbox=%s is rejected',
    async (bbox) => {
      const response = await archive().fetch(`/en/api/events.geojson?bbox=${bbox}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        type: expect.stringMatching(/\/problems\/invalid-bbox$/),
        expected: 'bbox=west,south,east,north in degrees, such as 4.8,52.3,5.0,52.4',
      });
    },
  );
});
