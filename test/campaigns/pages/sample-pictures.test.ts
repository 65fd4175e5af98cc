import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { ITSELF, serveDatabase } from '../../support/api-server.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../../support/sample.ts';
import { createTestDatabase } from '../../support/test-database.ts';

interface Pictured {
  image?: { path?: string };
  main_image?: { path?: string };
}

const PICTURED = KINDS.flatMap((kind) =>
  readFileSync(join(SAMPLE, `${COLLECTIONS[kind]}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Pictured => JSON.parse(line))
    .flatMap(({ image, main_image: main }) => image ?? main ?? []),
);

test('every picture of the sample belongs to a record and has a credit, and all are small', () => {
  const files = globSync('**/*.*', { cwd: SAMPLE_MEDIA });
  expect(PICTURED.map(({ path }) => path).toSorted()).toEqual(files.toSorted());
  expect(files).toHaveLength(12);
  const bytes = files.reduce((sum, file) => sum + statSync(join(SAMPLE_MEDIA, file)).size, 0);
  expect(bytes).toBeLessThan(300_000);
  for (const file of PICTURED) {
    expect(file).toMatchObject({
      title: expect.stringMatching(/./),
      alt: expect.stringMatching(/./),
      author: expect.stringMatching(/./),
      copyright: 'CC0 1.0',
      filetype: 'image',
    });
  }
});

test('serve --sample prints the home page first, and serves the pictures', async () => {
  const settings = { BASE_URL: ITSELF };
  const server = await serveDatabase(await createTestDatabase('sqlite'), settings, { args: ['--sample'] });
  await server.process.said(/Stop with Ctrl-C/);
  const [first] = server.process.stdout().match(/https?:\/\/\S+\//g) ?? [];
  expect(first).toBe(`${server.origin}/`);
  const picture = await server.fetch(`/media/${PICTURED[0]?.path}`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  await picture.arrayBuffer();
});
