import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { countProcessorTime, processorTimeOfEnded } from './processor-time.ts';

/** A function in JavaScript that computes for so many milliseconds of CPU time. */
const COMPUTE = `const compute = (milliseconds) => {
  const end = process.cpuUsage().user + milliseconds * 1000;
  while (process.cpuUsage().user < end) for (let count = 0; count < 1e5; count += 1);
};`;

/** Computes when it starts, and less when it gets a signal. */
const CHILD = `${COMPUTE}
process.on('SIGUSR2', () => { compute(200); console.log('done'); });
setInterval(() => {}, 1000);
compute(800);
console.log('started');`;

const PARENT = `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', ${JSON.stringify(CHILD)}], { stdio: 'inherit' });
process.on('SIGUSR2', () => child.kill('SIGUSR2'));
setInterval(() => {}, 1000);`;

test('the time of a process is counted from now on, with its children', async () => {
  const parent = spawn(process.execPath, ['-e', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const pid = parent.pid ?? 0;
  await once(parent.stdout, 'data');
  const count = countProcessorTime([pid]);
  parent.kill('SIGUSR2');
  await once(parent.stdout, 'data');
  const counted = count();
  process.kill(-pid, 'SIGTERM');
  await once(parent, 'exit');
  expect(counted).toBeGreaterThan(195);
  expect(counted).toBeLessThan(800);
});

test('the time of a process that does not run cannot be counted', () => {
  expect(() => countProcessorTime([2 ** 30])).toThrow('expected the CPU time of threads');
});

test('the time of ended processes is complete', async () => {
  const before = processorTimeOfEnded();
  await once(spawn(process.execPath, ['-e', `${COMPUTE} compute(300)`], { stdio: 'ignore' }), 'exit');
  expect(processorTimeOfEnded() - before).toBeGreaterThan(290);
});
