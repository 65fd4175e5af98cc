import { expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { serveDatabase, untilServed } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { send } from '../../support/send.ts';
import { createTestDatabase, describeEngines } from '../../support/test-database.ts';

describeEngines('on %s', (engine) => {
  test('while editions change, every page is complete, of one edition, and names it', async () => {
    const database = await createTestDatabase(engine);
    const bundles: string[] = [];
    for (const seed of [1, 2, 3]) bundles.push(await makeBundle(database.folder, { records: 300, seed }));
    await publishBundle(database, bundles[0] ?? '');
    const server = await serveDatabase(database);
    const pages = new Map<string, Set<string>>();
    let publishing = true;
    const read = async (path: string) => {
      while (publishing) {
        const { status, headers, body } = await send(server.origin + path);
        expect(status, body.toString().slice(0, 300)).toBe(200);
        const key = `${path} of edition ${headers['archive-edition']}`;
        pages.set(key, (pages.get(key) ?? new Set()).add(body.toString()));
      }
    };
    const reading = Promise.all(
      [
        '/en/api/persons?page=2',
        '/nl/api/events?page=3',
        '/en/api/search?q=name:e',
        '/en/api/locations',
        '/nl/api/search?page=5',
      ].map(read),
    );
    for (const number of [2, 3, 1, 2] as const)
      await publishBundle(database, bundles[number - 1] ?? '', ['--keep', '2']);
    await untilServed(server, 5);
    publishing = false;
    await reading;
    for (const [key, bodies] of pages) expect(bodies.size, key).toBe(1);
    const editions = new Set([...pages.keys()].map((key) => key.slice(-1)));
    expect(editions.size).toBeGreaterThanOrEqual(3);
    expect(editions).toContain('5');
    await server.stop();
    await database.drop();
  });
});
