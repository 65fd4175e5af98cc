import { beforeEach, expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { compileQuery } from './compiled-query.ts';

const { database } = useTemporaryDatabase({ tables: false });

interface Row {
  name: string;
  size: number | null;
}

const select = () =>
  compileQuery<'name' | 'size', Row | undefined>(database(), ['name', 'size'], ({ name, size }) =>
    database()('things').where({ name, kind: 'box' }).where('size', '>', size).first('name', 'size'),
  );

beforeEach(async () => {
  await database().schema.createTable('things', (table) => {
    table.string('name');
    table.string('kind');
    table.integer('size');
  });
  await database()('things').insert([
    { name: "it's", kind: 'box', size: 3 },
    { name: 'b', kind: 'box', size: 1 },
    { name: 'b', kind: 'bag', size: 9 },
  ]);
});

test('returns the result of the query for different values', async () => {
  const find = select();
  expect(await find({ name: "it's", size: 2 })).toEqual({ name: "it's", size: 3 });
  expect(await Promise.all([find({ name: 'b', size: 0 }), find({ name: 'b', size: 1 })])).toEqual([
    { name: 'b', size: 1 },
    undefined,
  ]);
  expect(await find({ name: "' or 1 = 1 --", size: 0 })).toBeUndefined();
});

test('emits the events of one statement, with the same SQL every time', async () => {
  const seen: [string, string, string][] = [];
  const note = (event: string, { sql, __knexQueryUid: id }: { sql: string; __knexQueryUid: string }) =>
    seen.push([event, sql, id]);
  database().on('query', (query) => note('query', query));
  database().on('query-response', (_, query) => note('query-response', query));
  const find = select();
  await find({ name: 'b', size: 0 });
  await find({ name: "it's", size: 0 });
  expect(seen.map(([event]) => event)).toEqual(['query', 'query-response', 'query', 'query-response']);
  expect(new Set(seen.map(([, sql]) => sql)).size).toBe(1);
  expect(new Set(seen.map(([, , id]) => id)).size).toBe(2);
});

test('fails like the query', async () => {
  const find = select();
  await database().schema.dropTable('things');
  await expect(find({ name: 'b', size: 0 })).rejects.toThrow(/no such table: things/);
});
