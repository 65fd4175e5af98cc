import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { describe, expect, test } from 'vitest';
import { BARE_ENVIRONMENT } from '../../support/api-process.ts';
import { needs, placeOf } from '../../support/programs.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));

/** The folders of `test` with tests of both engines. */
const FOLDERS = ['contract', 'read', 'editions', 'bulk', 'commands', 'database'];

describe('a MySQL server', needs('mysql8'), () => {
  const url = placeOf('mysql8');

  test('is MySQL, not MariaDB', async () => {
    const connection = await createConnection({ uri: url });
    const [[row]] = await connection.query<RowDataPacket[]>('select version() as version');
    await connection.end();
    expect(row?.['version']).toMatch(/^(?!.*MariaDB)\d+\./);
    process.stdout.write(`MySQL ${row?.['version']}\n`);
  });

  test('passes the tests of both engines', { timeout: 900_000 }, async () => {
    const run = spawn(
      process.execPath,
      [VITEST, 'run', '--project', 'test', ...FOLDERS.map((folder) => `test/${folder}/`)],
      { cwd: ROOT, env: { ...BARE_ENVIRONMENT, TEST_MYSQL_URL: url }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [run.stdout, run.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [code] = await once(run, 'close');
    expect(code, output.slice(-20_000)).toBe(0);
    const [, passed = '0'] = /^(\d+) passed, 0 failed/m.exec(output) ?? [];
    expect(Number(passed), output.slice(-2_000)).toBeGreaterThan(300);
    process.stdout.write(`${passed} tests passed on it\n`);
  });
});
