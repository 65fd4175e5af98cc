import { describe, expect, test } from 'vitest';
import { runApi, settingsFor } from '../support/api-process.ts';
import { makeBundle } from '../support/bundles.ts';
import { needs } from '../support/programs.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('idle connections (mysql)', needs('database-server'), () => {
  const engine = 'mysql';
  test('that are cut during a publish do not affect it', {
    timeout: 120_000,
  }, async () => {
    const database = await createTestDatabase(engine);
    const url = new URL(database.url);
    const proxy = await startTcpProxy(Number(url.port || 3306), { idleMilliseconds: 200 });
    url.port = String(proxy.port);
    const bundle = await makeBundle(database.folder, { records: 5_000, seed: 1 });
    const published = await runApi(['publish', bundle], settingsFor({ ...database, url: url.href }));
    expect(published.code, published.stderr).toBe(0);
    expect(published.stdout).toMatch(/^Published edition 1: 1,750 persons/);
    expect(proxy.cuts()).toBeGreaterThan(0);
  });
});
