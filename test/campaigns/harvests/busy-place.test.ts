import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { peakMemory } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeEngines } from '../../support/test-database.ts';
import { getJson, type Page, walkRecords } from '../../support/walk.ts';

const EVENTS = 2000;
const CLIENTS = 16;
const MOST_MEGABYTES = 300;
const MOST_MEGABYTES_OF_LONG_TEXTS = 420;

/** One location with many events, each of which embeds the location with its list of all events. */
function busyPlace(sentences = 4) {
  const location = { id: 1, uuid: uuidOf('location', 1), name_nl: 'De Dam', city: 'Amsterdam' };
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    id: index + 1,
    uuid: uuidOf('event', index + 1),
    name_nl: `Gebeurtenis ${index + 1}`,
    content_nl: `<p>${'Er gebeurde iets op de Dam. '.repeat(sentences)}</p>`,
    location: location.uuid,
  }));
  return { location: [location], event: events };
}

describeEngines('a location with 2,000 events (%s)', (engine) => {
  let folder: string;
  let archive: TestArchive;
  beforeAll(async () => {
    folder = await temporaryFolder();
    archive = await startApi({ engine, bundle: await writeBundle(folder, busyPlace()) });
  });

  test('its pages are complete', async () => {
    const page = await getJson<Page>(archive, `/en/api/events?page=${EVENTS / 10}`);
    expect(page).toMatchObject({ count: EVENTS, next: null });
    expect(page.results).toHaveLength(10);
    const location = await getJson(archive, `/en/api/locations/${uuidOf('location', 1)}`);
    expect(location['events']).toHaveLength(EVENTS);
    expect(location['location_events']).toHaveLength(EVENTS);
    for (const event of page.results) expect(event['location']).toEqual(location);
  });

  test('16 concurrent clients get them, and the server stays under 300 MB', async () => {
    const read = async (client: number) => {
      let bytes = 0;
      const response = await archive.fetch(`/en/api/events?page=${client * 10 + 1}`, {
        headers: { 'Accept-Encoding': 'identity' },
      });
      expect(response.status).toBe(200);
      if (!response.body) expect.fail('there is no body');
      for await (const chunk of response.body) bytes += chunk.length;
      expect(bytes).toBe(Number(response.headers.get('content-length')));
      return bytes;
    };
    const sizes = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => read(client)));
    expect(Math.min(...sizes)).toBeGreaterThan(10 * EVENTS * 500);
    expect(peakMemory(archive.process.pid)).toBeLessThan(MOST_MEGABYTES);
  });
});

describeEngines('a location with 2,000 long events, of 20 MB (%s)', (engine) => {
  test('its events are those of their list, and ten concurrent clients get them within memory', async () => {
    const bundle = await writeBundle(await temporaryFolder(), busyPlace(150));
    const archive = await startApi({ engine, bundle });
    const events = await walkRecords(archive, '/en/api/events?events=abbreviated');
    const location = await getJson(archive, `/en/api/locations/${uuidOf('location', 1)}`);
    expect(location['events']).toEqual(events);
    const [dump = ''] = (await (await archive.fetch('/en/api/dump/locations.jsonl')).text()).split('\n');
    expect(JSON.parse(dump)).toEqual(location);
    const sizes = Array.from({ length: 10 }, async (_, client) => {
      let bytes = 0;
      const { body, headers } = await archive.fetch(`/en/api/events?page=${client + 1}`, {
        headers: { 'Accept-Encoding': 'identity' },
      });
      for await (const chunk of body ?? []) bytes += chunk.length;
      expect(bytes).toBe(Number(headers.get('content-length')));
      return bytes;
    });
    expect(Math.min(...(await Promise.all(sizes)))).toBeGreaterThan(10 * 16 * 2 ** 20);
    expect(peakMemory(archive.process.pid)).toBeLessThan(MOST_MEGABYTES_OF_LONG_TEXTS);
  });
});
