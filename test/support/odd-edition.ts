import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES, PAGE_SEGMENTS } from '@archiefkast/types';
import { expect } from 'vitest';
import { publishHere } from './api-here.ts';
import { type ApiServer, serveDatabase } from './api-server.ts';
import { openDatabase } from './database-of.ts';
import { endAtLast } from './leftovers.ts';
import type { TestDatabase } from './test-database.ts';

/** The address of every picture of the bundle, including its logo, and the word in every text. */
export const ADDRESS = 'https://pictures.test/odd.jpg';
export const WORD = 'Oddity';

/** The uuid of the record with an id. */
export function uuid(id: number): string {
  return `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
}

const file = (id: number) => ({ id, uuid: uuid(id), url: ADDRESS, filetype: 'image' });
const texts = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, WORD]));

const BUNDLE: Readonly<Record<string, readonly object[]>> = {
  persons: [1, 2].map((id) => ({
    id,
    uuid: uuid(id),
    ...texts('first_name', 'last_name', 'title_nl', 'summary_nl', 'birth_place'),
    content_nl: `<p id="${WORD}">x<a href="#${WORD}">${WORD}</a></p>`,
    birth_date: '1600-01-01',
    image: file(id + 10),
    files: [file(id + 20)],
    subjects: [uuid(3)],
  })),
  subjects: [
    { id: 3, uuid: uuid(3), ...texts('name_nl', 'description_nl'), same_as: [ADDRESS], image: file(31) },
  ],
  locations: [
    {
      id: 4,
      uuid: uuid(4),
      ...texts('name_nl', 'city', 'content_nl'),
      latitude: '52.1',
      longitude: '4.9',
      main_image: file(41),
    },
  ],
  events: [
    {
      id: 5,
      uuid: uuid(5),
      ...texts('name_nl', 'content_nl'),
      date: '1650-01-01',
      persons: [uuid(1)],
      location: uuid(4),
      main_image: file(51),
    },
  ],
};

const BOTH = { nl: WORD, en: WORD };
const ARCHIVE = { title: BOTH, description: BOTH, publisher: BOTH, logo: ADDRESS };

/** The pages of the bundle and the feed, and the pages of one record of each kind. */
export const PAGES = LANGUAGES.flatMap((language) =>
  [
    '',
    'zoeken/',
    'zoeken/?q=kind:person',
    'docs',
    'feed.atom',
    'nowhere',
    ...Object.values(PAGE_SEGMENTS).map((segment) => `${segment}/`),
  ].map((path) => `/${language}/${path}`),
);
export const RECORD_PAGES = [
  `/en/personen/${uuid(1)}/`,
  `/en/onderwerpen/${uuid(3)}/`,
  `/nl/locaties/${uuid(4)}/`,
  `/nl/gebeurtenissen/${uuid(5)}/`,
];

/** Texts of the bundle as JSON, and their replacements. */
export type Replacements = readonly (readonly [plain: string, odd: string])[];

/** Writes a bundle whose pictures all have one address, and whose texts all contain one word. @returns its folder */
export async function writeOddBundle(replaced: Replacements = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-odd-'));
  endAtLast(() => rm(folder, { recursive: true }));
  const write = (name: string, json: string) =>
    writeFile(
      join(folder, name),
      replaced.reduce((text, [plain, odd]) => text.replaceAll(plain, odd), json),
    );
  for (const [name, records] of Object.entries(BUNDLE)) {
    await write(`${name}.jsonl`, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  await write('archive.json', JSON.stringify(ARCHIVE));
  return folder;
}

/**
 * Serves the bundle as an older release without these checks might have published it: the odd texts are written to its
 * rows. Its derived files are built again.
 */
export async function serveOdd(
  database: TestDatabase,
  replaced: Replacements,
  settings: Readonly<Record<string, string>> = {},
): Promise<ApiServer> {
  await publishHere(database, await writeOddBundle(), ['--force']);
  const open = openDatabase(database);
  for (const [plain, odd] of replaced) {
    await open('texts').update({ text: open.raw('REPLACE(text, ?, ?)', [plain, odd]) });
    await open('editions').update({ archive: open.raw('REPLACE(archive, ?, ?)', [plain, odd]) });
  }
  await open.destroy();
  await rm(join(database.folder, 'derived'), { recursive: true, force: true });
  const server = await serveDatabase(database, settings);
  const search = async () => (await server.fetch('/en/api/search')).status;
  await expect.poll(search, { timeout: 20_000 }).toBe(200);
  return server;
}
