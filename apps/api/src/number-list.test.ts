import { expect, test } from 'vitest';
import { NumberList } from './number-list.ts';

test('a list grows, and has no numbers beyond its end', () => {
  const list = new NumberList(Uint32Array);
  for (let number = 0; number < 3_000; number++) list.push(number * 2);
  expect(list.length).toBe(3_000);
  expect([list.at(0), list.at(1), list.at(2_999), list.at(3_000)]).toEqual([0, 2, 5_998, undefined]);
  list.set(1, 7);
  expect([list.indexOf(7), list.indexOf(0), list.indexOf(2)]).toEqual([1, 0, -1]);
  const { view } = list;
  expect([view.constructor, view.length, view[1], view[2_999]]).toEqual([Uint32Array, 3_000, 7, 5_998]);
});

test('an emptied list has no numbers, and grows again', () => {
  const list = new NumberList(Uint32Array);
  for (let number = 0; number < 3_000; number++) list.push(number);
  list.clear();
  expect([list.length, list.at(0), list.indexOf(0)]).toEqual([0, undefined, -1]);
  for (let number = 0; number < 3_000; number++) list.push(number * 2);
  expect([list.length, list.at(2_999)]).toEqual([3_000, 5_998]);
});

test('free places are not found', () => {
  const list = new NumberList(Float64Array);
  list.push(-1.5);
  expect([list.at(0), list.indexOf(0)]).toEqual([-1.5, -1]);
});
