/// <reference lib="dom" />
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { barriersOf } from '../../support/page-checks.ts';
import { describeSite } from '../../support/site-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A word that fits in no line. */
const WORD = 'Lieutenant'.repeat(30);
const HEBREW = 'מנשה בן ישראל';
const [PERSON, OTHER] = [uuidOf('person', 1), uuidOf('person', 2)];
const [TOWN, PLACE] = [uuidOf('location', 1), uuidOf('location', 2)];
const [TOP, BELOW] = [uuidOf('subject', 1), uuidOf('subject', 2)];
const HTML = `<h2>${WORD}</h2><h2>Twee</h2><h3>Drie</h3><p>${WORD} ${'woorden '.repeat(900)}</p><pre>${WORD}</pre><table><tr><td>${WORD}</td><td>${WORD}</td></tr></table><p>${HEBREW} 1604</p>`;
const PICTURE = {
  ...{ id: 1, uuid: uuidOf('person', 90), name: `${WORD}.jpg`, title: WORD, filetype: 'image' },
  ...{ url: 'https://example.org/p.jpg', alt: WORD, author: WORD, description: WORD },
};

/** An archive in which every text is too long. */
async function writeHostile(): Promise<string> {
  const texts = (name: string) => ({ summary_nl: `${name} ${WORD}`, content_nl: HTML, files: [PICTURE] });
  const events = Array.from({ length: 12 }, (_, at) => ({
    ...{ id: at + 1, uuid: uuidOf('event', at + 1), name_nl: `${WORD} ${at}`, ...texts('Gebeurtenis') },
    ...{ persons: [PERSON, OTHER], location: at % 2 === 0 ? TOWN : PLACE, subjects: [BELOW] },
    date_start: `${1600 + at * 10}-12-28`,
    date_end: `${1601 + at * 10}-12-28`,
    date: at === 0 ? null : `${1600 + at * 10}-12-28`,
  }));
  const bundle = await writeBundle(await temporaryFolder(), {
    person: [
      {
        ...{ id: 1, uuid: PERSON, title_nl: `${WORD} ${HEBREW}`, last_name: WORD, image: PICTURE },
        ...{ birth_date: '1590-12-28', death_date: '1720-12-28', birth_place: WORD, death_country: WORD },
        ...{ ...texts('Persoon'), subjects: [BELOW] },
      },
      { id: 2, uuid: OTHER, title_nl: WORD, last_name: HEBREW, ...texts('Persoon') },
    ],
    subject: [
      { id: 1, uuid: TOP, name_nl: WORD, description_nl: HTML, same_as: [`https://example.org/${WORD}`] },
      { id: 2, uuid: BELOW, name_nl: `${WORD} ${HEBREW}`, parent: 1, description_nl: HTML },
    ],
    location: [TOWN, PLACE].map((uuid, at) => ({
      ...{ id: at + 1, uuid, name_nl: at === 0 ? WORD : `${WORD} ${HEBREW}`, city: WORD, land: WORD },
      ...{
        street: WORD,
        latitude: `${52 + at}.1`,
        longitude: `${4 + at}.1`,
        subjects: [TOP],
        ...texts('Plaats'),
      },
    })),
    event: events,
  });
  const [note, notes] = [`Vooraf ${WORD}`, { [TOP]: `Over ${WORD}` }];
  const words = {
    title: { nl: WORD, en: WORD },
    note: { nl: note, en: note },
    notes: { nl: notes, en: notes },
  };
  const mail = { corrections: `fout@${'lang'.repeat(15)}.test`, removal: 'weg@archive.test' };
  const address = { nl: 'https://archive.test/', en: 'https://archive.test/' };
  const more = { policy: address, accessibility: address };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify({ ...words, ...mail, ...more }));
  await mkdir(join(bundle, 'pages'));
  for (const language of ['nl', 'en'])
    await writeFile(
      join(bundle, 'pages', `about.${language}.md`),
      `# ${WORD}\n\nTekst[^1].\n\n## ${WORD}\n\n![Een huis](https://example.org/p.jpg)\n\n| a | b |\n|---|---|\n| ${WORD} | ${WORD} |\n\n[^1]: Noot.\n`,
    );
  return bundle;
}

const PAGES = [
  '/en/',
  '/en/personen/',
  '/en/locaties/',
  '/en/gebeurtenissen/',
  '/en/onderwerpen/',
  `/en/zoeken/?q=${WORD.slice(0, 200)}`,
  '/en/zoeken/?q=kind:event&sort=name',
  `/en/zoeken/?q=${WORD.slice(0, 150)}x%20plaatss`,
  `/en/zoeken/?q=last_nam:${WORD.slice(0, 150)}`,
  '/en/zoeken/hulp/',
  '/en/dataset/',
  '/nl/about/',
  '/en/docs',
  '/problems/invalid-query',
  `/en/nowhere/${WORD.slice(0, 100)}/`,
  `/nl/personen/${PERSON}/`,
  `/nl/locaties/${TOWN}/`,
  `/nl/locaties/${PLACE}/`,
  `/nl/gebeurtenissen/${uuidOf('event', 6)}/`,
  `/nl/onderwerpen/${TOP}/`,
  `/nl/onderwerpen/${BELOW}/`,
  `/nl/embed/${PERSON}`,
  `/nl/embed/${uuidOf('event', 6)}`,
];

describeSite('an archive whose texts are all too long', writeHostile, ({ open }) => {
  test.each(PAGES)('no page scrolls sideways, narrow or with large text: %s', async (path) => {
    const faults: string[] = [];
    const look = async (page: Page) => {
      for (const fold of await page.locator('details').all())
        await fold.evaluate((one: HTMLDetailsElement) => {
          one.open = true;
        });
      for (const [width, size] of [
        [320, '100%'],
        [640, '200%'],
        [1280, '200%'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        const excess = await page.evaluate((fontSize) => {
          document.documentElement.style.fontSize = fontSize;
          return document.documentElement.scrollWidth - innerWidth;
        }, size);
        if (excess > 0) faults.push(`${excess} px too wide at ${width} px with text of ${size}`);
      }
    };
    await open(path, look).catch((error: unknown) => {
      // The browser logs a 4xx as an error.
      if (!/status of 4\d\d/.test(String(error))) throw error;
    });
    expect(faults).toEqual([]);
  });

  test('the band of a life is read by keyboard and without scripts, and is accessible', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const look = async (page: Page) => {
        const band = page.locator('.band');
        await band.focus();
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.closest('.band') !== null)).toBe(true);
        await page.keyboard.press('Enter');
        await page.waitForURL(new RegExp(OTHER));
      };
      const path = `/en/personen/${PERSON}/`;
      await open(path, look, javaScriptEnabled ? {} : { javaScriptEnabled });
    }
    await open(`/en/personen/${PERSON}/`, async (page) => expect(await barriersOf(page)).toEqual([]));
  });

  test.each(['/nl/about/', `/nl/onderwerpen/${BELOW}/`])(
    '%s, with notes, is accessible in both schemes',
    async (path) => {
      for (const colorScheme of ['light', 'dark'] as const)
        await open(path, async (page) => expect(await barriersOf(page)).toEqual([]), { colorScheme });
    },
  );

  test('a reader of the screen meets what is seen, in its order: notes, name, text, and whom to ask', async () => {
    await open(`/nl/onderwerpen/${BELOW}/`, async (page) => {
      const lines = (await page.locator('body').ariaSnapshot()).split('\n');
      const order = [
        /^- banner/,
        /^- complementary "Vooraf"/,
        /^- main/,
        /level=1/,
        /- note:/,
        /level=2/,
        /^- contentinfo/,
      ];
      for (const line of lines) if (order[0]?.test(line)) order.shift();
      expect(order, lines.join('\n')).toEqual([]);
    });
  });

  test('the map of a person has the numbers of its places', async () => {
    await open(`/en/personen/${PERSON}/`, async (page) => {
      await page.locator('.map').scrollIntoViewIfNeeded();
      await page.locator('.map.drawn').waitFor();
      const numbers = await page.locator('.map .place').allInnerTexts();
      expect(numbers.toSorted()).toEqual(['1', '2']);
      expect(await page.locator('.card[data-number]').count()).toBe(2);
    });
  });
});
