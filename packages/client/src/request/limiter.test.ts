import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

const signal = new AbortController().signal;

const oneAtATime = () =>
  createLimiter({ concurrency: 1, rate: Number.POSITIVE_INFINITY, maxWaitMs: 1000, onWaited: () => {} });

test('a failed task frees its slot', async () => {
  const limiter = oneAtATime();
  await expect(limiter.run('u', signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(limiter.run('u', signal, async () => 'yes')).resolves.toBe('yes');
});

test('a waiting task can be aborted', async () => {
  const limiter = oneAtATime();
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

test('a pause can be aborted', async () => {
  const limiter = oneAtATime();
  limiter.pause(900);
  const stop = new AbortController();
  const run = limiter.run('u', stop.signal, async () => 'never');
  stop.abort(new Error('enough'));
  await expect(run).rejects.toThrow('enough');
});
