import { expect, test } from 'vitest';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { sharedDatabase } from '../support/test-database.ts';

const LISTENING = /"pid":(\d+)[^\n]*"msg":"listening"/g;

test('a worker that dies as soon as it listens is replaced', { timeout: 120_000 }, async () => {
  const database = await sharedDatabase('fixture', 'sqlite');
  const running = startProcess(['serve', '--workers', '2'], settingsFor(database, { PORT: '0' }));
  await running.said(new RegExp(`(${LISTENING.source}[^]*){2}`));
  const [[, first] = []] = running.stderr().matchAll(LISTENING);
  process.kill(Number(first), 'SIGKILL');
  await running.said(/a worker died; starting another/);
  await running.said(new RegExp(`(${LISTENING.source}[^]*){3}`));
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0 });
});
