import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { UuidTable } from './uuid-table.ts';

test('numbers UUIDs in order of insertion, and finds each', () => {
  const table = new UuidTable();
  const uuids = Array.from({ length: 20_000 }, () => randomUUID());
  for (const uuid of uuids) expect(table.add(uuid)).toBe(true);
  expect(table.size).toBe(uuids.length);
  for (const [number, uuid] of uuids.entries()) {
    expect(table.find(uuid)).toBe(number);
    expect(table.at(number)).toBe(uuid);
  }
  expect(table.find(randomUUID())).toBeUndefined();
});

test('refuses a duplicate UUID, and keeps its number', () => {
  const table = new UuidTable();
  const [first, second] = [randomUUID(), randomUUID()];
  table.add(first);
  table.add(second);
  expect(table.add(first)).toBe(false);
  expect(table.size).toBe(2);
  expect(table.find(first)).toBe(0);
});

test('distinguishes UUIDs that differ only in their last digits', () => {
  const table = new UuidTable();
  const written = Array.from({ length: 5_000 }, (_, index) => {
    return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  });
  for (const uuid of written) expect(table.add(uuid)).toBe(true);
  expect(written.every((uuid, number) => table.find(uuid) === number)).toBe(true);
});
