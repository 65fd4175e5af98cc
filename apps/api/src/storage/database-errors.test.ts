import { expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';

const { database, config } = useTemporaryDatabase();

const SECRET = 'a biography that nobody wants to read on a terminal';

test('the message of a failed statement is its cause, without statement or values', async () => {
  const row = { name: 'publish', holder: SECRET };
  const error = await database()('leases')
    .insert(row)
    .catch((thrown) => thrown);
  expect(error.message).toBe('UNIQUE constraint failed: leases.name');
  expect(error.sql).toMatch(/^insert into `leases` .*\?/);
  expect(JSON.stringify({ ...error })).not.toContain(SECRET);
});

test('an error of the file names the file', async () => {
  await database().raw('pragma query_only = on');
  await expect(database()('leases').del()).rejects.toThrow(
    `DATABASE_URL: ${config().file}: attempt to write a readonly database`,
  );
});
