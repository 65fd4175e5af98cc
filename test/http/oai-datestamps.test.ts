import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

import { runApiHere, type ServerHere, serveHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type Database, openDatabase } from '../support/database-of.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { type Harvest, harvestOai } from '../support/oai-harvest.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

type Fields = Readonly<Record<string, unknown>>;

const PICTURE = {
  ...{ id: 1, uuid: uuidOf('event', 90), name: 'kaart.jpg', filetype: 'image/jpeg' },
  url: 'https://example.org/kaart.jpg',
};
const RECORDS = {
  subject: {
    trade: { id: 1, uuid: uuidOf('subject', 1), name_nl: 'Handel' },
    ships: { id: 2, uuid: uuidOf('subject', 2), name_nl: 'Schepen', parent: 1 },
  },
  person: { anna: { id: 1, uuid: uuidOf('person', 1), title_nl: 'Anna', subjects: [uuidOf('subject', 2)] } },
  location: {
    wharf: { id: 1, uuid: uuidOf('location', 1), name_nl: 'Werf' },
    road: {
      ...{ id: 2, uuid: uuidOf('location', 2), name_nl: 'Weg' },
      related_locations: [uuidOf('location', 1)],
    },
    lane: { id: 3, uuid: uuidOf('location', 3), name_nl: 'Laan' },
  },
  event: {
    opening: {
      ...{ id: 1, uuid: uuidOf('event', 1), name_nl: 'Opening', main_image: PICTURE },
      ...{ location: uuidOf('location', 1), persons: [uuidOf('person', 1)] },
    },
  },
};
type Name = 'trade' | 'ships' | 'anna' | 'wharf' | 'road' | 'lane' | 'opening';
const NAMES = Object.values(RECORDS).flatMap((records) => Object.keys(records)) as Name[];

/** What is edited, and which records are shown otherwise afterwards. */
const EDITS: readonly [what: string, edits: Partial<Record<Name, Fields>>, changed: Name[]][] = [
  ['the name of a person', { anna: { title_en: 'Ann' } }, ['anna', 'opening']],
  ['the name of a location', { wharf: { name_nl: 'Kade' } }, ['wharf', 'road', 'opening']],
  ['the name of a subject', { trade: { name_en: 'Trade' } }, ['trade', 'ships']],
  ['a relation', { road: { related_locations: [uuidOf('location', 3)] } }, ['wharf', 'road', 'lane']],
  ['the name of one that names another', { road: { name_nl: 'Dijk' } }, ['wharf', 'road']],
  ['an identity', { ships: { same_as: ['https://example.org/ships'] } }, ['ships']],
  ['what is known of a date', { anna: { birth_date: '1850~' } }, ['anna']],
  ['the rights of a picture', { opening: { main_image: { ...PICTURE, copyright: 'CC0' } } }, ['opening']],
  ['the subjects of an event', { opening: { subjects: [uuidOf('subject', 1)] } }, ['opening']],
  ['a text that is not shown', { wharf: { content_nl: '<p>Hout.</p>' } }, ['wharf']],
  ['a record that hides', { anna: { published: false } }, ['anna', 'opening']],
];

describeEngines('datestamps of OAI-PMH (%s)', (engine) => {
  let prepared: TestDatabase;
  let server: ServerHere;
  let database: Database;
  let before: Harvest;
  beforeAll(async () => {
    prepared = await createTestDatabase(engine);
    await publish({});
    database = openDatabase(prepared);
    server = await serveHere(prepared);
    return async () => {
      await database.destroy();
      await server.stop();
    };
  });

  /** Publishes the records with these edits, unless nothing is new. */
  async function publish(edits: Partial<Record<Name, Fields>>, archive: Fields = {}): Promise<void> {
    const edited = Object.entries(RECORDS).map(([kind, records]) => [
      kind,
      Object.entries(records).map(([name, record]) => ({ ...record, ...edits[name as Name] })),
    ]);
    const bundle = await writeBundle(join(prepared.folder, 'bundle'), Object.fromEntries(edited));
    const words = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day', ...archive };
    await writeFile(join(bundle, 'archive.json'), JSON.stringify(words));
    const published = await runApiHere(['publish', bundle, '--keep', '3'], settingsFor(prepared));
    expect(published, published.stderr).toMatchObject({ code: 0 });
  }

  /** Waits until the server serves what was published last. */
  async function untilServed(): Promise<void> {
    const { edition } = await database('served').first('edition');
    const served = async () =>
      (await fetch(`${server.origin}/en/api/persons`)).headers.get('archive-edition');
    await expect.poll(served, { timeout: 30_000 }).toBe(String(edition));
  }

  /** Harvests all; publishes; and the names of the records of a harvest since then, which gives what a full harvest gives. */
  async function changedBy(change: () => Promise<void>): Promise<string[]> {
    await untilServed();
    before = await harvestOai(server.origin);
    await change();
    await untilServed();
    const later = await harvestOai(server.origin, { from: before.responseDate });
    const now = await harvestOai(server.origin);
    expect(new Map([...before.received, ...later.received])).toEqual(now.received);
    const uuids = Object.values(RECORDS).flatMap((records) => Object.values(records).map(({ uuid }) => uuid));
    const received = new Set([...later.received.keys()].map((identifier) => identifier.split('/id/')[1]));
    return NAMES.filter((_, at) => received.has(uuids[at]));
  }

  test.each(EDITS)('%s changes those that say it, and comes back', async (_, edits, changed) => {
    await publish({});
    expect(await changedBy(() => publish(edits))).toEqual(changed);
    expect(await changedBy(() => publish({}))).toEqual(changed);
  });

  test.each([
    ['publisher', { publisher: { nl: 'Uitgever', en: 'Publisher' } }, NAMES],
    [
      'licence',
      { licence: { name: 'CC0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' } },
      NAMES,
    ],
    ['address', { email: 'archief@example.org' }, []],
  ])('another %s of the archive changes all records that say it', async (_, archive, changed) => {
    await publish({});
    expect(await changedBy(() => publish({}, archive))).toEqual(changed);
    expect(await changedBy(() => publish({ lane: { name_nl: 'Pad' } }, archive))).toEqual(['lane']);
  });

  test('a publish by a program with another mapping changes all, once', async () => {
    await publish({});
    await database('editions').update({ mapping: 0, source: 'of another program' });
    expect(await changedBy(() => publish({}))).toEqual(NAMES);
    expect(await changedBy(() => publish({}))).toEqual([]);
  });

  test('a roll-back changes all, and each is listed once', async () => {
    await publish({});
    await publish({ lane: { name_nl: 'Pad' }, anna: { published: false } });
    const rollBack = async () => {
      expect(await runApiHere(['rollback'], settingsFor(prepared))).toMatchObject({ code: 0 });
    };
    expect(await changedBy(rollBack)).toEqual(NAMES);
  });

  test('an answer is of its edition, not of a clock: what is served later has a later time', async () => {
    await publish({});
    const { served_at } = await database('editions').orderBy('id', 'desc').first('served_at');
    const ahead = new Date(Date.parse(served_at) + 3_600_000).toISOString();
    // As a publisher had made it whose clock was an hour ahead.
    await database('editions').where({ served_at }).update({ served_at: ahead });
    expect(await changedBy(() => publish({ lane: { name_nl: 'Steeg' } }))).toEqual(['lane']);
    expect(Date.parse(before.responseDate) - Date.parse(ahead)).toBeLessThanOrEqual(1_000);
    expect(await changedBy(() => publish({ lane: { name_nl: 'Gang' } }))).toEqual(['lane']);
  });
});
