/// <reference lib="dom" />
import { expect, test } from 'vitest';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { describeSite } from '../../support/site-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CELLS = Array.from({ length: 12 }, (_, at) => `<td>Kolomkop${at}zonderspaties</td>`).join('');
const LONG = `<p>${'Een lange regel die nergens eindigt '.repeat(20)}</p>`;
const WIDE = `<p>Tekst.</p><table><tr>${CELLS}</tr></table><p>${'lang'.repeat(200)}</p>`;
const HEBREW = 'מנשה בן ישראל';
const SOUGHT = 'Rechthebbende gezocht, niet gevonden';
const PICTURE = {
  ...{ id: 1, uuid: uuidOf('person', 90), name: 'p.jpg', title: 'Portret', filetype: 'image' },
  ...{ url: 'https://example.org/p.jpg', description: SOUGHT },
};

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

  test('say what describes a picture, once to readers of the screen', async () => {
    await open(await pathOf('title:Wijd'), async (page) => {
      expect(await page.locator('figcaption').innerText()).toContain(SOUGHT);
      expect(await page.locator('figure img').getAttribute('alt')).toBe(SOUGHT);
    });
  });
});
