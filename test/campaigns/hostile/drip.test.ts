import { createClient } from '@archiefkast/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../../faults/run-here.ts';
import { temporaryFolder } from '../../faults/temporary-folder.ts';
import { FIXTURE } from '../../support/fixture/fixture-bundle.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../../support/spoiled-archive.ts';

/** The interval between bytes in milliseconds: much shorter than --timeout. */
const DRIP_MS = 500;

/** The responses that drip, one per run. */
const DRIPPING = /\/api\/persons(?:\?|$)|\/dump\/subjects\.jsonl|\/changes\.jsonl/;

const TOO_SLOW = /sent \d+ bytes in 3\d(?:\.\d)? s, expected at least 1 kB per second/;

let archive: SpoiledArchive;
beforeAll(async () => {
  archive = await startSpoiledArchive(FIXTURE);
  archive.proxy.spoil = ({ url, body, response }) => {
    if (!DRIPPING.test(url)) return undefined;
    let sent = 0;
    const dripping = setInterval(() => response.write(body[sent++] ?? ' '), DRIP_MS);
    response.once('close', () => clearInterval(dripping));
    return 'taken';
  };
});
afterAll(() => archive?.stop());

test('a server that sends single bytes slowly gets a timeout', async (context) => {
  const parent = await temporaryFolder(context);
  const harvest = (name: string, ...options: string[]) =>
    runHere([
      ...['harvest', '--base-url', archive.baseUrl, '--out', `${parent}/${name}`],
      ...['--timeout', '2', '--retries', '0', ...options],
    ]);
  const feed = async () => {
    const client = createClient({ baseUrl: archive.baseUrl, timeoutMs: 2_000, retries: 0 });
    for await (const { change } of client.changedRecords(1)) throw new Error(`it has a record ${change}`);
  };
  const started = performance.now();
  const [pages, dumps] = await Promise.all([
    harvest('pages'),
    harvest('dumps', '--from', 'dumps'),
    expect(feed()).rejects.toMatchObject({ reason: 'slow' }),
  ]);
  expect(performance.now() - started).toBeLessThan(45_000);
  for (const { code, stderr } of [pages, dumps]) {
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(TOO_SLOW) });
  }
});
