/// <reference lib="dom" />
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, PAGE_SEGMENTS } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { settingsFor, startProcess } from '../../support/api-process.ts';
import { freePort } from '../../support/free-port.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../../support/sample.ts';
import { describeSite } from '../../support/site-archive.ts';
import { createTestDatabase } from '../../support/test-database.ts';

interface Pictured {
  uuid: string;
  image?: { path?: string };
  main_image?: { path?: string };
}

const PICTURED = KINDS.flatMap((kind) =>
  readFileSync(join(SAMPLE, `${COLLECTIONS[kind]}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Pictured => JSON.parse(line))
    .flatMap(({ uuid, image, main_image: main }) => {
      const file = image ?? main;
      return file ? [{ kind, uuid, file }] : [];
    }),
);

test('every picture of the sample belongs to a record and has a credit, and all are small', () => {
  const files = globSync('**/*.*', { cwd: SAMPLE_MEDIA });
  expect(PICTURED.map(({ file }) => file.path).toSorted()).toEqual(files.toSorted());
  expect(files).toHaveLength(12);
  const bytes = files.reduce((sum, file) => sum + statSync(join(SAMPLE_MEDIA, file)).size, 0);
  expect(bytes).toBeLessThan(300_000);
  for (const { file } of PICTURED) {
    expect(file).toMatchObject({
      title: expect.stringMatching(/./),
      alt: expect.stringMatching(/./),
      author: expect.stringMatching(/./),
      copyright: 'CC0 1.0',
      filetype: 'image',
    });
  }
});

describeSite('pages of the sample with a picture', 'sample', ({ open }) => {
  test.each(PICTURED)('$file.path is shown with its credit and rights', async ({ kind, uuid }) => {
    await open(`/nl/${PAGE_SEGMENTS[kind]}/${uuid}/`, async (page) => {
      const picture = page.locator('.picture img').first();
      const width = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
      expect(width).toBe(448);
      expect(await page.locator('.picture figcaption').first().innerText()).toMatch(
        /voorbeeldarchief.*CC0 1\.0/,
      );
    });
  });
});

test('serve --sample prints the home page first, and serves the pictures', async () => {
  const database = await createTestDatabase('sqlite');
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const running = startProcess(
    ['serve', '--sample'],
    settingsFor(database, { PORT: String(port), BASE_URL: baseUrl }),
  );
  try {
    await running.said(/Stop with Ctrl-C/);
    const [path = ''] = PICTURED.map(({ file }) => file.path ?? '');
    const picture = await fetch(`${baseUrl}/media/${path}`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    await picture.arrayBuffer();
  } finally {
    running.kill('SIGTERM');
  }
  const { stdout } = await running.ended;
  const [first] = stdout.match(/https?:\/\/\S+\//g) ?? [];
  expect(first).toBe(`${baseUrl}/`);
  await database.drop();
});
