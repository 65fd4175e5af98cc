import { expect, test } from 'vitest';
import { oncePerEdition } from './once-per-edition.ts';

test('what is known of an edition is not found out again; what failed is', async () => {
  const ask = oncePerEdition<number>();
  const [one, other] = [{}, {}];
  let asked = 0;
  const find = async () => {
    asked += 1;
    if (asked === 1) throw new Error('busy');
    return asked;
  };
  const first = [ask(one, 'a', find), ask(one, 'a', find)];
  expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([ask(one, 'a', find), ask(one, 'a', find)])).toEqual([2, 2]);
  expect(await ask(one, 'b', find)).toBe(3);
  expect(await ask(other, 'a', find)).toBe(4);
  expect(await ask(one, 'a', find)).toBe(2);
});
