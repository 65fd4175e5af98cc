/// <reference lib="dom" />
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { publishHere } from '../../support/api-here.ts';
import { ITSELF, serveDatabase } from '../../support/api-server.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { describeSite } from '../../support/site-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const CELLS = Array.from({ length: 12 }, (_, at) => `<td>Kolomkop${at}zonderspaties</td>`).join('');
const LONG = `<p>${'Een lange regel die nergens eindigt '.repeat(20)}</p>`;
const WIDE = `<p>Tekst.</p><table><tr>${CELLS}</tr></table><p>${'lang'.repeat(200)}</p>`;
const HEBREW = 'מנשה בן ישראל';
const SOUGHT = 'Rechthebbende gezocht, niet gevonden';
const PICTURE = {
  ...{ id: 1, uuid: uuidOf('person', 90), name: 'p.jpg', title: 'Portret', filetype: 'image' },
  ...{ url: 'https://example.org/p.jpg', description: SOUGHT },
};

const CHAPTERS = Array.from(
  { length: 12 },
  (_, at) => `<h2>Hoofdstuk ${at + 1}</h2><p>${'Woorden van een lange tekst. '.repeat(40)}</p>`,
).join('');
/** A reference to a note, and the note. */
const noteMark = (number: number) =>
  `<sup class="footnote-ref"><a href="#fn-${number}" id="fnref-${number}">${number}</a></sup>`;
const note = (number: number) => `<li id="fn-${number}">Bron <a href="#fnref-${number}">↩</a></li>`;
const NOTES = `<section class="footnotes"><ol>${[1, 2, 3].map(note).join('')}</ol></section>`;
/** One note is of the beginning, two are of the last chapter. */
const NOTED = `<p>Begin.${noteMark(1)}</p>${CHAPTERS}<p>Slot.${noteMark(2)}${noteMark(3)}</p>${NOTES}`;
/** A text with so many headings of two levels. */
const headed = (high: number, low: number) =>
  `${'<h2>Deel</h2><p>Tekst.</p>'.repeat(high)}${'<h3>Paragraaf</h3><p>Tekst.</p>'.repeat(low)}`;

/** Texts with more chapters than are listed: of the highest level, of a lower one, and below a single title. */
const MANY = [
  ['Delen', headed(61, 0), 60],
  ['Paragrafen', headed(5, 60), 5],
  ['Titel', headed(1, 80), 60],
] as const;

/** Names of persons on more than one page, and the part by which each is sorted. */
const SORTED = [
  ['Clara Coenraedts [Burgh]', '[Burgh]'],
  ["Jan van 't Hoff", "'t Hoff"],
  ['Pieter van der Aa', 'Aa'],
] as const;

/** A picture of one colour, as PNG. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const chunks = [
    ['IHDR', header],
    ['IDAT', rows],
    ['IEND', Buffer.alloc(0)],
  ] as const;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks.flatMap(([name, data]) => {
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(data.length);
      sum.writeUInt32BE(crc32(data, crc32(name)));
      return [length, Buffer.from(name), data, sum];
    }),
  ]);
}

async function writeOdd(): Promise<string> {
  const folder = await temporaryFolder();
  return await writeBundle(folder, {
    person: [
      { id: 1, uuid: uuidOf('person', 1), title_nl: 'Wijd', content_nl: WIDE, image: PICTURE },
      { id: 2, uuid: uuidOf('person', 2), title_nl: 'Lang', content_nl: LONG },
      {
        ...{ id: 3, uuid: uuidOf('person', 3), title_nl: HEBREW },
        ...{ birth_date: '1604-01-01', death_date: '1657-11-20', last_name: HEBREW },
      },
      { id: 4, uuid: uuidOf('person', 4), title_nl: 'Hoofdstukken', content_nl: NOTED },
      {
        ...{ id: 5, uuid: uuidOf('person', 5), title_nl: 'Panorama' },
        image: { ...PICTURE, url: '', path: 'wide.png', title: 'Vergezicht' },
        files: [
          { ...PICTURE, id: 2, uuid: uuidOf('person', 91), url: '', path: 'high.png', name: 'high.png' },
        ],
      },
      ...MANY.map(([title, text], at) => ({
        ...{ id: 20 + at, uuid: uuidOf('person', 20 + at), title_nl: title, content_nl: text },
      })),
      ...SORTED.map(([title, last], at) => ({
        ...{ id: 10 + at, uuid: uuidOf('person', 10 + at), title_nl: title, last_name: last },
      })),
    ],
    event: [
      {
        id: 1,
        uuid: uuidOf('event', 1),
        name_nl: 'Doop',
        persons: [uuidOf('person', 3)],
        date: '1604-01-02',
      },
    ],
  });
}

describeSite('pages with odd contents', writeOdd, ({ open, pathOf }) => {
  test('list the chapters of a long text, say what is folded, and have its notes in reach', async () => {
    await open(await pathOf('title:Hoofdstukken'), async (page) => {
      const chapters = page.locator('.on-page ul ul a');
      expect(await chapters.count()).toBe(12);
      expect(await page.locator('.folded > summary').innerText()).toMatch(
        /\([\d,]+ words, \d+ chapters, 2 notes\)/,
      );
      expect(await page.locator('.footnotes').isVisible()).toBe(true);
      await chapters.last().click();
      const last = page.locator('h3', { hasText: 'Hoofdstuk 12' });
      await expect.poll(() => last.isVisible()).toBe(true);
      expect(await last.evaluate((heading) => heading.getBoundingClientRect().top)).toBeLessThan(720);
    });
  });

  test.each(MANY)(
    'list at most sixty chapters, and leave out deeper ones first (%s)',
    async (title, _, listed) => {
      await open(await pathOf(`title:${title}`), async (page) => {
        expect(await page.locator('.on-page ul ul a').count()).toBe(listed);
      });
    },
  );

  test.each([
    [1280, 720],
    [390, 844],
  ])(
    'show a landscape picture in its own box, its caption below it, and move nothing at %i pixels',
    async (width, height) => {
      const media = await temporaryFolder();
      await writeFile(join(media, 'wide.png'), pngOf(1600, 400));
      await writeFile(join(media, 'high.png'), pngOf(400, 1600));
      const database = await createTestDatabase('sqlite');
      await publishHere(database, await writeOdd(), [], { MEDIA_DIR: media });
      const server = await serveDatabase(database, { BASE_URL: ITSELF, MEDIA_DIR: media });
      const look = async (page: Page) => {
        await page.waitForLoadState('networkidle');
        const picture = page.locator('.record-media img');
        expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1600);
        const box = await picture.boundingBox();
        expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4, 1);
        const caption = await page.locator('.record-media figcaption').boundingBox();
        expect((caption?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)).toBeLessThan(24);
        const other = page.locator('.pictures img');
        expect(await other.getAttribute('loading')).toBe('lazy');
        expect(
          await other.evaluate((img: HTMLImageElement) => [img.width > 0, img.getAttribute('height')]),
        ).toEqual([true, '1600']);
        const shift = await page.evaluate(
          () =>
            new Promise((resolve) => {
              const observer = new PerformanceObserver((list) =>
                resolve(
                  list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0),
                ),
              );
              observer.observe({ type: 'layout-shift', buffered: true });
              setTimeout(() => resolve(0), 300);
            }),
        );
        expect(shift).toBe(0);
        expect(await page.locator('meta[property="og:image:width"]').getAttribute('content')).toBe('1600');
        expect(await page.locator('meta[property="og:image:alt"]').getAttribute('content')).toBe(SOUGHT);
      };
      await open(`${server.origin}${await pathOf('title:Panorama')}`, look, { viewport: { width, height } });
    },
  );

  test('sort names by their first letter, and show by what', async () => {
    await open('/en/personen/', async (page) => {
      const letters = await page.locator('.letters a').allInnerTexts();
      expect(letters.filter((letter) => !/^\p{L}$/u.test(letter))).toEqual([]);
      const sorted = await page.locator('.card b').allInnerTexts();
      expect(sorted.filter((name) => name !== HEBREW)).toEqual(['Aa', '[Burgh]', "'t Hoff"]);
    });
    await open('/nl/zoeken/?q=kind:person+-panorama&sort=name', async (page) => {
      expect(await page.locator('.results b').first().innerText()).toBe('Aa');
    });
  });

  test('do not break a date at the end of a line', async () => {
    const look = async (page: Page) => {
      for (const date of await page.locator('.life time').all())
        expect(await date.evaluate((time) => time.getClientRects().length)).toBe(1);
    };
    await open(await pathOf(`title:"${HEBREW}"`), look, { viewport: { width: 150, height: 600 } });
  });

  test('do not break years after their dash', async () => {
    const broken = async (page: Page) =>
      await page
        .locator('.fact', { hasText: '1604' })
        .first()
        .evaluate((fact) => {
          const walker = document.createTreeWalker(fact, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          const rows = (width: number) => {
            document.body.style.width = `${width}px`;
            walker.currentNode = fact;
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const years = /1604.*1657/.exec(node.textContent ?? '');
              if (!years) continue;
              range.setStart(node, years.index);
              range.setEnd(node, years.index + years[0].length);
              return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size;
            }
            return 0;
          };
          return Array.from({ length: 55 }, (_, at) => 390 - 4 * at).filter((width) => rows(width) !== 1);
        });
    const options = { viewport: { width: 390, height: 844 } };
    for (const path of ['/en/personen/', `/en/zoeken/?q=${encodeURIComponent(HEBREW)}`])
      expect(await open(path, broken, options), path).toEqual([]);
  });

  test.each([
    ['320 pixels', { viewport: { width: 320, height: 600 } }],
    ['a wide window', { viewport: { width: 1280, height: 720 } }],
  ])('do not scroll sideways in %s: a wide table does', async (_, options) => {
    for (const query of ['Wijd', 'Lang']) {
      const width = await open(
        await pathOf(`title:${query}`),
        async (page) => {
          for (const fold of await page.locator('details').all())
            await fold.evaluate((one: HTMLDetailsElement) => {
              one.open = true;
            });
          return await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        },
        options,
      );
      expect(width, query).toBeLessThanOrEqual(0);
    }
  });

  test('have lines of at most 85 characters', async () => {
    await open(
      await pathOf('title:Lang'),
      async (page) => {
        const characters = await page
          .locator('.prose p')
          .first()
          .evaluate((paragraph) => {
            const range = document.createRange();
            range.selectNodeContents(paragraph);
            const lines = new Set([...range.getClientRects()].map(({ top }) => top)).size;
            return (paragraph.textContent ?? '').length / lines;
          });
        expect(characters).toBeLessThanOrEqual(85);
      },
      { viewport: { width: 1280, height: 720 } },
    );
  });

  test.each(['/en/personen/', `/en/zoeken/?q=${encodeURIComponent(HEBREW)}`])(
    'show years after a name in Hebrew in their order: %s',
    async (path) => {
      await open(path, async (page) => {
        const placed = await page
          .locator('.fact', { hasText: '1604' })
          .first()
          .evaluate((fact) => {
            const walker = document.createTreeWalker(fact, NodeFilter.SHOW_TEXT);
            const leftOf = (year: string): number => {
              walker.currentNode = fact;
              for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.textContent?.indexOf(year) ?? -1;
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + year.length);
                return range.getBoundingClientRect().left;
              }
              return Number.NaN;
            };
            return [leftOf('1604'), leftOf('1657')];
          });
        expect(placed[0]).toBeLessThan(placed[1] ?? 0);
      });
    },
  );

  test('reserve a box of 4 by 5 for a picture of unknown size, until it is loaded', async () => {
    await open(await pathOf('title:Wijd'), async (page) => {
      const loaded = Promise.withResolvers<void>();
      await page.route(PICTURE.url, async (route) => {
        await loaded.promise;
        await route.fulfill({ contentType: 'image/png', body: pngOf(800, 400) });
      });
      await page.reload({ waitUntil: 'domcontentloaded' });
      const shape = async () => {
        const box = await page.locator('.record-media img').boundingBox();
        return (box?.width ?? 0) / (box?.height ?? 1);
      };
      expect(await shape()).toBeCloseTo(4 / 5, 2);
      loaded.resolve();
      await expect.poll(shape).toBeCloseTo(2, 2);
      await page.unrouteAll();
    });
  });

  test('say what describes a picture, once to readers of the screen', async () => {
    await open(await pathOf('title:Wijd'), async (page) => {
      expect(await page.locator('figcaption').innerText()).toContain(SOUGHT);
      expect(await page.locator('figure img').getAttribute('alt')).toBe(SOUGHT);
    });
  });
});
