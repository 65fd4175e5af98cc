import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MEGABYTE = 2 ** 20;

/** Keeps much for a while, so that the nursery would grow; prints how large it is. */
const PROGRAM = `
  import { setTimeout } from 'node:timers/promises';
  import { getHeapSpaceStatistics } from 'node:v8';
  import { growNursery, keepNursery } from '${new URL('./nursery.ts', import.meta.url)}';

  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
  async function work() {
    const held = [];
    for (let round = 0; round < 100; round += 1) {
      held[round % 10] = Array.from({ length: 20_000 }, (_, at) => ({ at }));
      await setTimeout(1);
    }
  }
  keepNursery();
  // Its second half is there when it has been collected once.
  await work();
  const begin = size();
  await work();
  const kept = size() - begin;
  growNursery(8 * ${MEGABYTE});
  await work();
  const grown = size();
  await work();
  console.log(JSON.stringify({ kept, grown, after: size() }));
`;

test('the nursery stays as it is until it may grow, and then stops where it was told', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  const { kept, ...others } = JSON.parse(stdout);
  // V8 may give a part of it back.
  expect(kept).toBeLessThanOrEqual(0);
  expect(others).toEqual({ grown: 8 * MEGABYTE, after: 8 * MEGABYTE });
});
