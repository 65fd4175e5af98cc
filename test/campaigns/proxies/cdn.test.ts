import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { type RunningProxy, startCache } from '../../support/proxy.ts';
import { listNegotiated, representationOf } from '../../support/representations.ts';
import { type Answered, send } from '../../support/send.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('behind a cache that ignores Vary and has the rules for a CDN', needs('nginx'), () => {
  const program = placeOf('nginx');
  let archive: TestArchive;
  let cache: RunningProxy;
  beforeAll(async () => {
    const bundle = await writeFixture(await temporaryFolder());
    archive = await startApi({ engine: 'sqlite', bundle, settings: { LOG_LEVEL: 'debug' } });
    cache = await startCache(program, Number(new URL(archive.origin).port));
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    send(`http://127.0.0.1:${cache.port}${path}`, headers);
  const decoded = ({ headers: { 'content-encoding': coding }, body }: Answered) =>
    (coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body).toString();
  /** The requests for a path that reached the server, from its log. */
  const arrived = (path: string) =>
    archive.process
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"msg":"answered"') && line.includes(`"url":"${path}"`)).length;

  test('every representation is the same as without it, kept or not', async () => {
    for (let time = 0; time < 2; time += 1) {
      for (const { path, headers } of listNegotiated(uuidOf('person', 101))) {
        const [own, through] = [await send(archive.origin + path, headers), await ask(path, headers)];
        expect(representationOf(through), `${path} ${JSON.stringify(headers)}`).toEqual(
          representationOf(own),
        );
        expect(decoded(through), path).toBe(decoded(own));
      }
    }
  });

  test('a list is fetched once for each coding, whatever is accepted', async () => {
    const path = '/nl/api/locations?page=2';
    for (const accept of ['*/*', 'text/html', 'application/json']) {
      for (const coding of ['br, gzip', 'gzip', 'identity']) {
        const answer = await ask(path, { Accept: accept, 'Accept-Encoding': coding });
        expect(answer.status).toBe(200);
        expect(answer.headers['content-encoding'] ?? 'identity').toBe(coding.split(',')[0]);
      }
    }
    await expect.poll(() => arrived(path)).toBe(3);
  });

  test('errors are not kept, and a part of a file is the same part', async () => {
    const missing = '/en/api/persons?page=99';
    for (let time = 0; time < 2; time += 1) expect((await ask(missing)).status).toBe(404);
    await expect.poll(() => arrived(missing)).toBe(2);
    const path = '/en/api/dump/persons.jsonl';
    const whole = await send(archive.origin + path, { 'Accept-Encoding': 'identity' });
    const part = await ask(path, { 'Accept-Encoding': 'identity', Range: 'bytes=100-299' });
    expect(part.status).toBe(206);
    expect(part.body.equals(whole.body.subarray(100, 300))).toBe(true);
  });
});
