/// <reference lib="dom" />
import type { Kind } from '@archiefkast/types';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { publishServed } from '../../support/api-server.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { type Line, uuidOf } from '../../support/fixture/names.ts';
import { describeSite } from '../../support/site-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The most locations of a map of all of them, and the most places with which a map opens on all. */
const MOST_LOCATIONS = 5_000;
const MOST_PLACES = 20;

/** The location that is far from all others, and two towns. */
const FAR = 1;
const TOWNS = { 2: 'Veertig', 3: 'Eenenveertig' } as const;

/** The years of events without persons at each location: the first and the last decide how long a bar is. */
const YEARS = { [FAR]: [1400, 1600, 1639, 1640], 2: [1600, 1999], 3: [1599, 1999] } as const;

/** Persons with an event at each of so many locations, of which one is far. */
const PERSONS = [
  { id: 1, title_nl: 'Weinig plaatsen', places: MOST_PLACES },
  { id: 2, title_nl: 'Veel plaatsen', places: MOST_PLACES + 1 },
] as const;

const YEARLY = Object.entries(YEARS).flatMap(([at, years]) =>
  years.map((year) => ({ date: `${year}-06-01`, location: uuidOf('location', Number(at)) })),
);
const PERSONAL = PERSONS.flatMap(({ id, places }) =>
  Array.from({ length: places }, (_, at) => ({
    ...{ location: uuidOf('location', at + 1), persons: [uuidOf('person', id)] },
  })),
);

/** As much of everything as a page shows in its usual way. */
function linesOf(locations: number, years: readonly number[] = []): Partial<Record<Kind, Line[]>> {
  const events = [
    ...YEARLY,
    ...PERSONAL,
    ...years.map((year) => ({ date: `${year}-01-01`, location: uuidOf('location', FAR) })),
  ];
  return {
    person: PERSONS.map(({ id, title_nl }) => ({ id, uuid: uuidOf('person', id), title_nl })),
    location: Array.from({ length: locations }, (_, at) => {
      const [id, city] = [at + 1, TOWNS[(at + 1) as keyof typeof TOWNS]];
      const [latitude, longitude] = id === FAR ? ['-6.1', '106.8'] : [`52.${10_000 + id}`, '4.5'];
      const name_nl = city ?? (id === FAR ? 'Batavia' : `Huis ${id}`);
      return { id, uuid: uuidOf('location', id), name_nl, latitude, longitude, ...(city && { city }) };
    }),
    event: events.map((event, at) => ({
      ...{ id: at + 1, uuid: uuidOf('event', at + 1), name_nl: `Gebeurtenis ${at + 1}`, ...event },
    })),
  };
}

/** What a map shows when it opens: the names of clusters and of places alone. */
async function openingOf(page: Page): Promise<string[]> {
  await page.locator('.map').scrollIntoViewIfNeeded();
  await page.locator('.map.drawn').waitFor();
  return page
    .locator('.map .cluster, .map .place')
    .evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
}

describeSite(
  'pages with as much as they show',
  async () => writeBundle(await temporaryFolder(), linesOf(MOST_LOCATIONS)),
  ({ archive, open, pathOf }) => {
    const countBars = async (...paths: string[]) => {
      const counts: number[] = [];
      for (const path of paths)
        counts.push(await open(path, (page) => page.locator('.decades > li').count()));
      return counts;
    };
    const searchFor = (years: string) => `/en/zoeken/?q=kind:event%20date:${years}`;

    test.each(['/en/', '/nl/locaties/'])('map %s to 5,000 locations', async (path) => {
      await open(path, async (page) => {
        expect(await openingOf(page)).toEqual([expect.stringMatching(/^4999 p/)]);
        await page.locator('.map').focus();
        const far = page.locator('.map .place[aria-label="Batavia"]');
        while ((await far.count()) === 0) await page.keyboard.press('-');
      });
    });

    test('open a map on all of twenty places, and of more on those that are near each other', async () => {
      const opened = async (name: string) => open(await pathOf(`title:"${name}"`), openingOf);
      expect(await opened('Weinig plaatsen')).toEqual(['1 Batavia', '19 places']);
      expect(await opened('Veel plaatsen')).toEqual(['20 places']);
    });

    test('have sixty bars of decades, and forty in searches and of towns', async () => {
      const town = await pathOf('kind:location name:="Veertig"');
      const counts = await countBars('/en/', '/en/gebeurtenissen/', searchFor('1600..1639'), town);
      expect(counts).toEqual([60, 60, 40, 40]);
    });

    test('have longer bars instead of more', async () => {
      const town = await pathOf('kind:location name:="Eenenveertig"');
      const counts = await countBars(searchFor('1600..1640'), town, '/en/zoeken/?q=kind:event');
      expect(counts).toEqual([5, 5, 6]);
    });

    test('have no map of one location more, and no decades of one more', async () => {
      await publishServed(archive().database, linesOf(MOST_LOCATIONS + 1, [1399]), { server: archive() });
      // The browser has the pages of the tests above in its cache.
      for (const path of ['/nl/', '/en/locaties/'])
        expect(await open(path, (page) => page.locator('.map').count()), path).toBe(0);
      expect(await countBars('/nl/')).toEqual([7]);
    });
  },
);
