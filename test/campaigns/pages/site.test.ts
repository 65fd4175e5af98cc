/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriersOf } from '../../support/page-checks.ts';
import { BEECKMAN, describeSite } from '../../support/site-archive.ts';

/** 320 is the width of a page at 400 % zoom. */
const LOOKS = [
  [320, 'light'],
  [1600, 'dark'],
] as const;

describeSite('the pages of an archive', 'sample', ({ archive, open, pathOf }) => {
  test.each([
    ['front page', async () => '/en/'],
    ['search', async () => '/nl/zoeken/?q=leiden'],
    ['search that finds nothing', async () => '/en/zoeken/?q=leidenn'],
    ['search with an error', async () => '/nl/zoeken/?q=birth_date:1620-1650'],
    ['help on search', async () => '/nl/zoeken/hulp/'],
    ['names', async () => '/en/personen/'],
    ['tree', async () => '/nl/onderwerpen/'],
    ['dates', async () => '/en/gebeurtenissen/'],
    ['person', () => pathOf(BEECKMAN)],
    ['location', () => pathOf('kind:location city:Leiden', 'nl')],
    ['event', () => pathOf('kind:event huygens')],
    ['subject', () => pathOf('kind:subject astronomy', 'nl')],
    ['wrong address', async () => '/nl/onderwerp/'],
  ])(
    '%s is accessible and does not overflow, narrow and wide, light and dark',
    { timeout: 90_000 },
    async (_, find) => {
      const path = await find();
      const faults: string[] = [];
      const context = { reducedMotion: 'reduce' as const };
      const look = async (page: Page) => {
        for (const [width, colorScheme] of LOOKS) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (overflow > 0) faults.push(`${path} at ${width}: ${overflow} px too wide`);
          faults.push(
            ...(await barriersOf(page)).map((fault) => `${path} at ${width}, ${colorScheme}: ${fault}`),
          );
        }
      };
      await open(path, look, context).catch((error: unknown) => {
        // The browser logs a 404 as an error.
        if (!/status of 404/.test(String(error))) throw error;
      });
      expect(faults).toEqual([]);
    },
  );

  test.each(['/nl/personen/', '/en/personen/'])(
    '%s has the search field beside the name, and the menu on one line below, at 1,280 pixels',
    async (path) => {
      const places = async (page: Page) =>
        await page
          .locator('.site-header .wide > *')
          .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()));
      const [name, search, menu] = await open(path, places, { viewport: { width: 1280, height: 720 } });
      if (!name || !search || !menu) throw new Error('the header has three parts');
      expect(search.left).toBeGreaterThan(name.right);
      expect(menu.top).toBeGreaterThanOrEqual(search.bottom);
      expect([menu.left, menu.height < 40]).toEqual([name.left, true]);
    },
  );

  test('a note leads from the text to its source, and back', async () => {
    await open(await pathOf(BEECKMAN), async (page) => {
      const mark = page.locator('.prose .footnote-ref a').first();
      expect(await mark.getAttribute('role')).toBe('doc-noteref');
      await mark.focus();
      await page.keyboard.press('Enter');
      const note = new URL(page.url()).hash;
      expect(await page.locator(`${note}:target`).count()).toBe(1);
      await page.locator(`${note} a[role="doc-backlink"]`).click();
      expect(await page.locator(':target').getAttribute('id')).toBe(await mark.getAttribute('id'));
    });
  });

  test('a person has life dates, text, events by date, and companions', async () => {
    await open(await pathOf(BEECKMAN), async (page) => {
      expect(await page.locator('h1').innerText()).toBe('Isaac Beeckman');
      expect(await page.locator('.life').innerText()).toMatch(/Born\s+10\sDecember\s1588, Middelburg/);
      const years = (await page.locator('.timeline .when').allInnerTexts()).map((text) =>
        Number(/\d{4}$/.exec(text)?.[0]),
      );
      expect(years).toEqual(years.toSorted((a, b) => a - b));
    });
  });

  test('the place of an event stands apart from its name', async () => {
    await open(await pathOf('kind:person christiaan huygens'), async (page) => {
      const events = page.locator('.timeline .what:has(.fact)');
      expect(await events.count()).toBeGreaterThan(1);
      for (const event of await events.all())
        expect(await event.innerText()).toBe((await event.locator('a').allInnerTexts()).join(' '));
    });
  });

  test('a record has its place in the list, the record after it, and a way to each section', async () => {
    await open(await pathOf(BEECKMAN), async (page) => {
      expect(await page.locator('.trail').innerText()).toBe('Persons');
      for (const link of await page.locator('.on-page a').all()) {
        const target = page.locator((await link.getAttribute('href')) ?? '');
        expect(await target.count()).toBe(1);
      }
      await page.locator('.turn [rel="next"]').click();
      const next = await page.locator('h1').innerText();
      expect(next).not.toBe('Isaac Beeckman');
      await page.locator('.turn [rel="prev"]').click();
      expect(await page.locator('h1').innerText()).toBe('Isaac Beeckman');
    });
  });

  test.each(['/en/personen/', '/nl/locaties/'])(
    'letters of %s lead to the first name with the letter',
    async (path) => {
      const letters = await open(path, (page) =>
        page
          .locator('.letters a')
          .evaluateAll((links) => links.map((link) => [link.textContent, (link as HTMLAnchorElement).href])),
      );
      expect(new Set(letters.map(([, href]) => href)).size).toBe(letters.length);
      for (const [letter, href] of letters) {
        const [target, above] = await open(String(href), async (page) => {
          const first = page.locator(`[id="${new URL(String(href)).hash.slice(1)}"]`);
          return [await first.count(), await first.evaluate((one) => one.getBoundingClientRect().top)];
        });
        expect([letter, target], `${href}`).toEqual([letter, 1]);
        expect(above).toBeLessThan(720);
      }
    },
  );

  test.each([
    '/en/zoeken/?q=kind:person&sort=name&page=2',
    '/en/zoeken/?date=date&from=1575&q=leiden&sort=-date',
    '/en/zoeken/?q=birth_date:1620-1650',
    '/en/personen/?page=2',
  ])('the language switches with the state of the page: %s', async (path) => {
    await open(path, async (page) => {
      const stateOf = () => Object.fromEntries(new URL(page.url()).searchParams);
      const state = stateOf();
      await page.getByRole('link', { name: 'Nederlands' }).click();
      expect(new URL(page.url()).pathname).toBe(new URL(path, page.url()).pathname.replace('/en/', '/nl/'));
      expect(stateOf()).toEqual(state);
    });
  });

  test('every page has a search field, one only', async () => {
    for (const path of ['/en/', '/en/zoeken/', '/nl/personen/', '/en/docs', await pathOf(BEECKMAN)]) {
      await open(path, async (page) => {
        await page.locator('input[name="q"]').fill('Beeckman');
        await page.locator('form.search button').click();
        expect(await page.locator('.results').innerText(), path).toContain('Beeckman');
      });
    }
  });

  test('secondary text has a contrast of at least 7:1, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const look = (page: Page) =>
        page.evaluate(() => {
          const root = document.documentElement.appendChild(document.createElement('p'));
          const lightness = (name: string) => {
            root.style.color = `var(--${name})`;
            const parts = getComputedStyle(root).color.match(/\d+/g) ?? [];
            const [r = 0, g = 0, b = 0] = parts.map((part) => {
              const value = Number(part) / 255;
              return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          return ['paper', 'card', 'code'].map((ground) => {
            const [low = 0, high = 0] = [lightness('soft'), lightness(ground)].sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
          });
        });
      const contrasts = await open('/en/', look, { colorScheme });
      expect(Math.min(...contrasts), colorScheme).toBeGreaterThanOrEqual(7);
    }
  });

  test('the language switches to the same record, and back', async () => {
    const path = await pathOf(BEECKMAN);
    await open(path, async (page) => {
      await page.getByRole('link', { name: 'Nederlands' }).click();
      expect(new URL(page.url()).pathname).toBe(path.replace('/en/', '/nl/'));
      expect(await page.locator('html').getAttribute('lang')).toBe('nl');
      await page.getByRole('link', { name: 'English' }).click();
      expect(new URL(page.url()).pathname).toBe(path);
    });
  });

  test('search with highlights, sorting, filters and paging works without scripts', async () => {
    const look = async (page: Page) => {
      await page.getByRole('searchbox').fill('leiden');
      await page.getByRole('button', { name: 'Search' }).click();
      const count = Number(/^(\d+) results/.exec(await page.getByRole('status').innerText())?.[1]);
      expect(count).toBeGreaterThan(20);
      expect(await page.locator('.results mark').first().innerText()).toMatch(/^leiden/i);
      const refine = page.locator('.refine > summary');
      if (await refine.isVisible()) await refine.click();
      const facet = page.locator('.facets a').first();
      const expected = await page.locator('.facets .count').first().innerText();
      await page.getByRole('link', { name: 'Next →' }).click();
      expect(await page.locator('.pager').innerText()).toContain('Page 2 of');
      await page.goBack();
      await facet.click();
      expect(await page.getByRole('status').innerText()).toMatch(new RegExp(`^${expected} result`));
      await page.getByRole('link', { name: 'name', exact: true }).click();
      expect(new URL(page.url()).searchParams.get('sort')).toBe('name');
    };
    await open('/en/', look, { javaScriptEnabled: false });
  });

  test('an invalid query is explained, and its correction is a link', async () => {
    await open('/nl/zoeken/?q=lastname:huygens', async (page) => {
      expect(await page.getByRole('alert').innerText()).toContain('last_name');
      const count = await page.getByRole('alert').locator('.count').first().innerText();
      expect(await page.getByRole('status').innerText()).toMatch(new RegExp(`^${count} resultat`));
      await page.getByRole('alert').getByRole('link').first().click();
      expect(new URL(page.url()).searchParams.get('q')).toBe('last_name:huygens');
      expect(await page.locator('.results').innerText()).toContain('Huygens');
    });
  });

  test('a misspelled word and an unknown gender lead to what there is', async () => {
    await open('/en/zoeken/?q=huigenss', async (page) => {
      expect(await page.locator('.instead').count()).toBe(0);
    });
    await open('/en/zoeken/?q=last_name:huygenss', async (page) => {
      await page.getByRole('link', { name: 'last_name:Huygens', exact: true }).click();
      expect(await page.locator('.results').innerText()).toContain('Huygens');
    });
    await open('/nl/zoeken/?q=gender:x%20huygens', async (page) => {
      await page.locator('.instead').getByRole('link', { name: 'Man' }).click();
      expect(new URL(page.url()).searchParams.get('q')).toBe('gender:male huygens');
    });
  });

  test('a reader finds the women born before 1700 by choosing, and takes back each choice', async () => {
    const look = async (page: Page) => {
      const queryOf = () => new URL(page.url()).searchParams.get('q');
      await page.getByText('Filter results').click();
      await page.getByRole('link', { name: 'Persons', exact: true }).last().click();
      await page.getByText('Filter results').click();
      await page.getByText('Gender').click();
      await page.getByRole('link', { name: 'Female' }).click();
      expect(queryOf()).toBe('gender:female kind:person');
      await page.getByText('Filter results').click();
      expect(await page.locator('.facets').getByRole('link', { name: 'Female' }).count()).toBe(0);
      await page.getByLabel('Up to and including').fill('1699');
      await page.getByRole('button', { name: 'Filter' }).click();
      const used = page.locator('.used a');
      expect(await used.count()).toBe(3);
      expect(await page.getByRole('searchbox').inputValue()).toBe(
        'birth_date:..1699 gender:female kind:person',
      );
      await page.getByRole('link', { name: 'Remove filter: Female' }).click();
      expect(queryOf()).toBe('birth_date:..1699 kind:person');
      await page.getByText('Filter results').click();
      await page.getByLabel('Up to and including').fill('16x');
      await page.getByRole('button', { name: 'Filter' }).click();
      expect(await page.getByRole('alert').innerText()).toContain('..16x');
    };
    const viewport = { width: 390, height: 844 };
    await open('/en/zoeken/', look, { javaScriptEnabled: false, viewport });
  });

  test('what happened at a place is one step from its name, and every example of the help is a valid query', async () => {
    await open('/en/zoeken/?q=leiden', async (page) => {
      await page.getByRole('link', { name: 'Events at places called “leiden”' }).click();
      expect(new URL(page.url()).searchParams.get('q')).toBe('kind:event place:"leiden"');
      expect(await page.locator('.results li').count()).toBeGreaterThan(0);
    });
    await open('/en/zoeken/', async (page) => {
      await page.getByRole('link', { name: 'How to search' }).click();
      const examples = page.locator('.examples a');
      expect(await examples.count()).toBeGreaterThan(8);
      for (const href of await examples.evaluateAll((links) =>
        links.map((link) => link.getAttribute('href')),
      )) {
        const html = await (await archive().fetch(new URL(href ?? '', page.url()).href)).text();
        expect(html, href ?? '').toContain('class="results" start="1">');
      }
    });
  });

  test('names are suggested while typing, and can be chosen with the keyboard', async () => {
    await open('/en/', async (page) => {
      const field = page.getByRole('combobox');
      await field.pressSequentially('isaac b');
      await page.locator('[role="option"]').first().waitFor();
      expect(await field.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('ArrowDown');
      expect(await page.locator('[aria-selected="true"]').innerText()).toBe('Isaac Beeckman Person');
      expect(await barriersOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/en\/personen\//);
      expect(await page.locator('h1').innerText()).toBe('Isaac Beeckman');
    });
  });

  test('keys belong to an input method while it composes', async () => {
    await open('/en/', async (page) => {
      const field = page.getByRole('combobox');
      await field.pressSequentially('isaac b');
      await page.locator('[role="option"]').first().waitFor();
      const method = await page.context().newCDPSession(page);
      await method.send('Input.imeSetComposition', { text: 'e', selectionStart: 1, selectionEnd: 1 });
      const press = (key: string, code: number) =>
        method.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: code });
      // The listener of the page comes first.
      await field.evaluate((input) =>
        input.addEventListener('keydown', (event) => {
          const { isComposing, defaultPrevented, keyCode } = event as KeyboardEvent;
          document.title += ` ${keyCode} ${isComposing} ${defaultPrevented}`;
        }),
      );
      await press('ArrowDown', 40);
      await press('Enter', 229);
      expect(await page.title()).toMatch(/ 40 true false 229 true false$/);
      expect(await page.locator('[aria-selected="true"]').count()).toBe(0);
      await method.send('Input.insertText', { text: 'e' });
      await page.locator('[role="option"]').first().waitFor();
      await page.keyboard.press('ArrowDown');
      expect(await page.locator('[aria-selected="true"]').innerText()).toBe('Isaac Beeckman Person');
    });
  });

  test('the first keyboard stop skips to the content', async () => {
    await open('/nl/', async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').innerText()).toBe('Naar de inhoud');
      await page.keyboard.press('Enter');
      expect(new URL(page.url()).hash).toBe('#main');
    });
  });
});
