import { expect, test } from 'vitest';
import { HashSlots } from './hash-slots.ts';

test('finds the numbers of keys, also of those with the same hash', () => {
  const keys: string[] = [];
  let sought = '';
  const hashOf = (key: string) => key.length;
  const slots = new HashSlots(
    (number) => hashOf(keys[number] ?? ''),
    (number) => keys[number] === sought,
  );
  const find = (key: string) => {
    sought = key;
    return slots.find(hashOf(key));
  };
  for (let number = 0; number < 3_000; number++) {
    const key = `${number}`.padEnd(1 + (number % 100), '-');
    expect(find(key)).toBeUndefined();
    keys.push(key);
    slots.add(number);
  }
  expect(slots.size).toBe(3_000);
  for (const [number, key] of keys.entries()) expect(find(key)).toBe(number);
  expect(find('none')).toBeUndefined();
  slots.clear();
  expect([slots.size, find('0')]).toEqual([0, undefined]);
});
