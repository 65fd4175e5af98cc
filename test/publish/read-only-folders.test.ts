import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { withReadOnly } from '../support/namespace.ts';
import { needs } from '../support/programs.ts';
import { SAMPLE } from '../support/sample.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('read-only folders', needs('namespaces'), () => {
  test('each is reported with its setting, without changes', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase('sqlite');
    await publishHere(database, SAMPLE);

    const derived = join(database.folder, 'derived');
    const out = join(database.folder, 'out');
    await mkdir(out);
    const settings = settingsFor(database);
    const cases: [args: string[], readOnly: string, said: string][] = [
      [['publish', SAMPLE, '--force'], derived, `DERIVED_DIR: ${derived}/`],
      [['convert', SAMPLE, join(out, 'x')], out, `${out}/x`],
      [['convert', SAMPLE, join(out, 'x.xlsx')], out, `${out}/x.xlsx`],
    ];
    for (const [args, readOnly, said] of cases) {
      const { code, stderr } = await startProcess(args, settings, withReadOnly(readOnly)).ended;
      expect(stderr).toContain(`archive-api: ${said}`);
      expect(stderr).toMatch(/ cannot be written \(EROFS: read-only file system, /);
      expect(code).toBe(1);
    }
    const editions = await startProcess(['editions'], settings).ended;
    expect(editions.stdout).toMatch(/^\* edition 1 .*\n$/);
  });
});
