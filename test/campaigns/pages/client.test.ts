/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ITSELF, startShared, type TestArchive } from '../../support/api-server.ts';
import { startChromium } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { getJson, type Json, type Page } from '../../support/walk.ts';

const CLIENT = fileURLToPath(new URL('../../../packages/client/dist/archive-client.js', import.meta.url));
const GUIDE = new URL('../../../docs/client.md', import.meta.url);

describe('the client for browsers', () => {
  let script: Uint8Array;
  beforeAll(async () => {
    script = await readFile(CLIENT);
  });

  test('has the size that docs/client.md names, compressed', async () => {
    const [, size] = /archive-client\.js`, (\d+) kB compressed/.exec(await readFile(GUIDE, 'utf8')) ?? [];
    expect(Math.round(gzipSync(script, { level: 9 }).length / 1000)).toBe(Number(size));
  });

  test('samples of docs/client.md run against the sample archive', async () => {
    const archive = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
    const [lists = '', map = ''] = [...(await readFile(GUIDE, 'utf8')).matchAll(/```ts\n([\s\S]*?)```/g)]
      .map(([, code = '']) => code)
      .filter((code) => !code.startsWith('try'));
    const program = (lists + map)
      .replace('@archiefkast/client', CLIENT)
      .replace('http://localhost:3000', archive.origin);
    const file = join(await temporaryFolder(), 'samples.mts');
    await writeFile(file, program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n').length).toBeGreaterThan(30);
  });

  describe('in a page of another origin', needs('browser'), () => {
    let archive: TestArchive;
    beforeAll(async () => {
      archive = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
    });

    test('runs the quick start of docs/client.md', async () => {
      const guide = await readFile(GUIDE, 'utf8');
      const [, page = ''] = /<!-- quick start -->\n```html\n([\s\S]*?)```/.exec(guide) ?? [];
      const files: Record<string, [type: string, body: string | Uint8Array]> = {
        '/': ['text/html', page.replace('http://localhost:3000', archive.origin)],
        '/archive-client.js': ['text/javascript', script],
      };
      const server = createServer((request, response) => {
        const [type, body] = files[request.url ?? ''] ?? ['text/plain', ''];
        response.writeHead(200, { 'content-type': type }).end(body);
      });
      const port = await freePort();
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      const browser = await startChromium();
      try {
        const query = 'q=kind:person%20leiden&sort=name';
        const { count, results } = await getJson<Page>(archive, `/en/api/search?${query}`);
        const shown = await browser.newPage();
        const faults: string[] = [];
        shown.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
        await shown.goto(`http://127.0.0.1:${port}/`);
        await shown.waitForFunction((most) => document.querySelectorAll('li').length === most, count);
        const items = await shown.locator('li').allTextContents();
        expect(faults.filter((fault) => !fault.includes('favicon'))).toEqual([]);
        const first = results[0]?.['instance'] as Json;
        expect(count).toBeGreaterThan(10);
        expect(items[0]).toBe(`${first['title']} (${first['birth_date'] ?? '?'})`);
      } finally {
        await browser.close();
        server.close();
      }
    }, 60_000);
  });
});
