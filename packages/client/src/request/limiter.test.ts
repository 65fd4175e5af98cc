import { expect, test } from 'vitest';
import { LongWaitError } from '../errors/request-errors.ts';
import { createLimiter, type LimiterOptions } from './limiter.ts';

const signal = new AbortController().signal;

function limiterWith(options: Partial<LimiterOptions>) {
  const waited: number[] = [];
  const limiter = createLimiter({
    concurrency: 2,
    rate: Number.POSITIVE_INFINITY,
    maxWaitMs: 1000,
    onWaited: (_url, ms) => waited.push(ms),
    ...options,
  });
  return { limiter, waited };
}

test('limits parallel tasks, and starts them in order', async () => {
  const { limiter } = limiterWith({ concurrency: 2 });
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    [1, 2, 3, 4, 5].map((task) =>
      limiter.run('u', signal, async () => {
        begun.push(task);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    ),
  );
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('a failed task frees its slot', async () => {
  const { limiter } = limiterWith({ concurrency: 1 });
  await expect(limiter.run('u', signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(limiter.run('u', signal, async () => 'yes')).resolves.toBe('yes');
});

test('a waiting task can be aborted', async () => {
  const { limiter } = limiterWith({ concurrency: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = limiter.run('u', signal, () => promise);
  const stop = new AbortController();
  const second = limiter.run('u', stop.signal, async () => 'never');
  stop.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  await expect(limiter.run('u', stop.signal, async () => 'never')).rejects.toThrow('enough');
  resolve();
  await first;
  await expect(limiter.run('u', signal, async () => 'yes')).resolves.toBe('yes');
});

test('a pause delays all tasks, and is reported', async () => {
  const { limiter, waited } = limiterWith({});
  const began = Date.now();
  expect(limiter.pause(80)).toBe(80);
  expect(limiter.pause(10)).toBeGreaterThan(10);
  await Promise.all([limiter.run('u', signal, async () => {}), limiter.run('u', signal, async () => {})]);
  expect(Date.now() - began).toBeGreaterThanOrEqual(79);
  expect(waited.length).toBeGreaterThanOrEqual(2);
});

test('a pause that is too long fails', async () => {
  const { limiter } = limiterWith({ maxWaitMs: 50 });
  limiter.pause(60_000);
  const run = limiter.run('http://a.test/', signal, async () => 'never');
  await expect(run).rejects.toThrow(LongWaitError);
  await expect(run).rejects.toThrow(
    /http:\/\/a\.test\/: the server asks to wait 60 s, longer than the 0\.05 s/,
  );
});

test('a pause can be aborted', async () => {
  const { limiter } = limiterWith({});
  limiter.pause(900);
  const stop = new AbortController();
  const run = limiter.run('u', stop.signal, async () => 'never');
  stop.abort(new Error('enough'));
  await expect(run).rejects.toThrow('enough');
});

test('a rate spreads the starts', async () => {
  const { limiter } = limiterWith({ concurrency: 10, rate: 50 });
  const began = Date.now();
  const times = await Promise.all(
    [1, 2, 3, 4].map(() => limiter.run('u', signal, async () => Date.now() - began)),
  );
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(20 * index - 2);
});
