import { expect, test } from 'vitest';
import { ClientLeft, SharedWork } from './shared-work.ts';

/** Work that ends when it is told to, or stopped. */
function createWork() {
  const gate = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  return {
    signals,
    end: gate.resolve,
    run: (signal: AbortSignal) => {
      signals.push(signal);
      signal.addEventListener('abort', () => gate.reject(signal.reason));
      return gate.promise;
    },
  };
}

test('is done once for all who ask meanwhile, and anew for who asks later', async () => {
  const shared = new SharedWork<string>();
  const work = createWork();
  const { signal } = new AbortController();
  const asked = [shared.run('a', work.run, signal), shared.run('a', work.run, signal)];
  work.end('done');
  expect(await Promise.all(asked)).toEqual(['done', 'done']);
  expect(work.signals).toHaveLength(1);
  expect(await shared.run('a', async () => 'again')).toBe('again');
});

test('goes on while one of them waits, and stops when the last has left', async () => {
  const shared = new SharedWork<string>();
  const work = createWork();
  const [one, other] = [new AbortController(), new AbortController()];
  const asked = [shared.run('a', work.run, one.signal), shared.run('a', work.run, other.signal)];
  one.abort();
  expect(work.signals[0]?.aborted).toBe(false);
  other.abort();
  expect(work.signals[0]?.aborted).toBe(true);
  for (const each of asked) await expect(each).rejects.toThrow(ClientLeft);
});

test('begins anew for who comes after all have left', async () => {
  const shared = new SharedWork<string>();
  const work = createWork();
  const left = new AbortController();
  const stopped = expect(shared.run('a', work.run, left.signal)).rejects.toThrow(ClientLeft);
  left.abort();
  expect(await shared.run('a', async () => 'new')).toBe('new');
  await stopped;
});

test('fails for all who wait', async () => {
  const shared = new SharedWork<string>();
  const fail = () => Promise.reject(new Error('broken'));
  const asked = [shared.run('a', fail), shared.run('a', fail)];
  for (const each of asked) await expect(each).rejects.toThrow('broken');
});
