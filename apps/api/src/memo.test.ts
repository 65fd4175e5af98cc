import { expect, test } from 'vitest';
import { createMemo } from './memo.ts';

test('what is known is not found out again, and shared meanwhile; what failed is tried again', async () => {
  const ask = createMemo<{ asked: number }>(2);
  let asked = 0;
  const find = async () => {
    asked += 1;
    if (asked === 1) throw new Error('busy');
    return { asked };
  };
  const first = [ask('a', find), ask('a', find)];
  expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([ask('a', find), ask('a', find)])).toEqual([{ asked: 2 }, { asked: 2 }]);
  expect(await ask('b', find)).toEqual({ asked: 3 });
  expect(await ask('a', find)).toEqual({ asked: 2 });
});

test('the least recently used is evicted, and still given to who waits for it', async () => {
  const ask = createMemo<{ of: string }>(1);
  const slow = Promise.withResolvers<{ of: string }>();
  const waiting = ask('a', () => slow.promise);
  expect(await ask('b', async () => ({ of: 'b' }))).toEqual({ of: 'b' });
  slow.resolve({ of: 'a' });
  expect(await waiting).toEqual({ of: 'a' });
  expect(await ask('b', async () => ({ of: 'again' }))).toEqual({ of: 'b' });
});
