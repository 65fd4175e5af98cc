/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { startChromium } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { ADDRESS, serveOdd, uuid } from '../../support/odd-edition.ts';
import { needs } from '../../support/programs.ts';
import { createTestDatabase } from '../../support/test-database.ts';

test(
  'in a browser, hosts named in records cannot run scripts, and the archive can run its own',
  needs('browser'),
  async () => {
    const harm = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/javascript');
      response.end('window.harmed = true');
    });
    const port = await listen(harm);
    const database = await createTestDatabase('sqlite');
    const own = await freePort();
    const server = await serveOdd(
      database,
      [
        [`"logo":"${ADDRESS}"`, '"logo":"https://a;script-src-elem/x.jpg"'],
        [ADDRESS, `http://127.0.0.1:${port}/x.jpg`],
      ],
      { PORT: String(own), BASE_URL: `http://127.0.0.1:${own}` },
    );
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${server.origin}/en/locaties/`);
      await page.locator('.map').scrollIntoViewIfNeeded();
      await page.locator('.map.drawn').waitFor();
      await page.goto(`${server.origin}/en/locaties/${uuid(4)}/`);
      const outcome = await page.evaluate(
        (src) =>
          new Promise<string>((resolve) => {
            const script = Object.assign(document.createElement('script'), { src });
            script.addEventListener('load', () => resolve('ran'));
            script.addEventListener('error', () => resolve('refused'));
            document.head.append(script);
          }),
        `http://127.0.0.1:${port}/x.js`,
      );
      expect(outcome).toBe('refused');
      expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    } finally {
      await browser.close();
      await server.stop();
      await database.drop();
      harm.close();
    }
  },
);

/** Starts a server on a free port. @returns the port */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
