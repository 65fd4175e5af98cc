import { expect, test } from 'vitest';
import { ClientAborted, SharedWork } from './shared-work.ts';

/** Work that ends on demand, or when aborted. */
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

test('runs once for concurrent callers, and again for later ones', async () => {
  const shared = new SharedWork<string>();
  const work = createWork();
  const { signal } = new AbortController();
  const results = [shared.run('a', work.run, signal), shared.run('a', work.run, signal)];
  work.end('done');
  expect(await Promise.all(results)).toEqual(['done', 'done']);
  expect(work.signals).toHaveLength(1);
  expect(await shared.run('a', async () => 'again')).toBe('again');
});

test('continues while one caller waits, and is aborted with the last', async () => {
  const shared = new SharedWork<string>();
  const work = createWork();
  const [one, other] = [new AbortController(), new AbortController()];
  const results = [shared.run('a', work.run, one.signal), shared.run('a', work.run, other.signal)];
  one.abort();
  expect(work.signals[0]?.aborted).toBe(false);
  other.abort();
  expect(work.signals[0]?.aborted).toBe(true);
  for (const each of results) await expect(each).rejects.toThrow(ClientAborted);
});

test('starts again for a caller after an abort', async () => {
  const shared = new SharedWork<string>();
  const work = createWork();
  const left = new AbortController();
  const stopped = expect(shared.run('a', work.run, left.signal)).rejects.toThrow(ClientAborted);
  left.abort();
  expect(await shared.run('a', async () => 'new')).toBe('new');
  await stopped;
});

test('fails for all waiting callers', async () => {
  const shared = new SharedWork<string>();
  const fail = () => Promise.reject(new Error('broken'));
  const results = [shared.run('a', fail), shared.run('a', fail)];
  for (const each of results) await expect(each).rejects.toThrow('broken');
});
