import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { processorTime } from './processor-time.ts';

test('the time of a process includes its children', async () => {
  const busy = 'while (process.cpuUsage().user < 200_000); console.log("done"); setInterval(() => {}, 1000)';
  const code = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], { stdio: 'inherit' }); setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit())`;
  const child = spawn(process.execPath, ['-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await once(child.stdout, 'data');
  const taken = processorTime(child.pid ?? 0);
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await once(child, 'exit');
  expect(taken).toBeGreaterThan(100);
  expect(processorTime(child.pid ?? 0)).toBe(0);
});
