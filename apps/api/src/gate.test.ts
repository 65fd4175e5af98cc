import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Gate, GateClosedError } from './gate.ts';

test('runs up to its limit concurrently, the rest in order of arrival', async () => {
  const gate = new Gate({ underWay: 1, waiting: 5, milliseconds: 1_000 });
  const order: string[] = [];
  const leave = await gate.enter();
  const waiting = ['b', 'c'].map(async (name) => {
    const leaveToo = await gate.enter();
    order.push(name);
    leaveToo();
  });
  await nextTurn();
  expect(order).toEqual([]);
  leave();
  leave();
  await Promise.all(waiting);
  expect(order).toEqual(['b', 'c']);
  expect(gate.underWay).toBe(0);
});

test('refuses at once when the queue is full', async () => {
  const gate = new Gate({ underWay: 1, waiting: 0, milliseconds: 1_000 });
  const leave = await gate.enter();
  await expect(gate.enter()).rejects.toThrow(GateClosedError);
  leave();
  (await gate.enter())();
});

test('refuses after the timeout, and leaves the queue', async () => {
  const gate = new Gate({ underWay: 1, waiting: 1, milliseconds: 20 });
  const leave = await gate.enter();
  await expect(gate.enter()).rejects.toThrow('waited for 20 ms');
  const next = gate.enter();
  leave();
  (await next)();
  expect(gate.underWay).toBe(0);
});

test('leaves the queue when aborted, even if its turn comes at the same moment', async () => {
  const gate = new Gate({ underWay: 1 });
  const leave = await gate.enter();
  const left = new AbortController();
  const waiting = gate.enter(left.signal);
  const next = gate.enter();
  left.abort(new Error('left'));
  leave();
  await expect(waiting).rejects.toThrow('left');
  await expect(gate.enter(left.signal)).rejects.toThrow('left');
  (await next)();
  expect([gate.underWay, gate.waiting]).toEqual([0, 0]);
});

test('drains when no work is running or waiting', async () => {
  const gate = new Gate({ underWay: 1 });
  await gate.drain();
  const leave = await gate.enter();
  const next = gate.enter();
  let isEmpty = false;
  const drained = gate.drain().then(() => {
    isEmpty = true;
  });
  leave();
  const leaveToo = await next;
  await nextTurn();
  expect(isEmpty).toBe(false);
  leaveToo();
  await drained;
});
