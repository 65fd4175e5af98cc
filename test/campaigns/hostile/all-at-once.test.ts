import { appendFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { publishBundle, type Running, runApi, settingsFor } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { callOf, sendCall } from '../../support/ask-archive.ts';
import { makeBundle } from '../../support/bundles.ts';
import { residentMemory } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';
import { askAndReadNothing, LARGE_PAGE, personOf, UUIDS } from './attacks.ts';

/** How long all attacks run together, on each engine. */
const MINUTES = Number(process.env['HOSTILE_MINUTES'] ?? 0.75);

/**
 * The time limit of /health in milliseconds, on a connection that is kept, while all attacks run on a machine that does nothing
 * else. Attacks, a publish and other programs share its cores: the limit grows by how much longer work takes meanwhile.
 */
const HEALTH_MILLISECONDS = 1_500;

/**
 * The same on a new connection: Node accepts one in each turn of its event loop, and a hundred connections of an attack may
 * have come before.
 */
const CONNECTED_MILLISECONDS = 5_000;

/** The processor time in milliseconds of the work that shows how much longer work takes. */
const SAMPLE_MILLISECONDS = 10;

/** Memory limit of the server above its idle memory, in MB: pages of many texts are in memory concurrently. */
const MOST_MEGABYTES = 600;

/** Messages of assistants: calls that cost, of hostile records, in batches, and what is no message. */
const MESSAGES: readonly unknown[] = [
  ...UUIDS.map((record) => callOf('get_record', { record, part: '99999' })),
  ...UUIDS.map((record) => callOf('get_record', { record })),
  ...['kind', 'decade', 'city'].map((by) =>
    callOf('count_archive', { by, query: 'jan OR van', century: 17 }),
  ),
  callOf('match_names', { names: Array.from({ length: 20 }, (_, at) => `${'jan '.repeat(60)}${at}`) }),
  Array.from({ length: 10 }, (_, at) => callOf('search_archive', { query: '('.repeat(200) }, at)),
  ...[
    '{"jsonrpc":',
    '[',
    '['.repeat(60_000),
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(60_000) }),
  ],
];

/** Limit of one answer of a tool, in bytes, with what the protocol adds. */
const MOST_ANSWERED = 16_000;

/** Pages that other clients read meanwhile: each response must equal the first one. */
const READ = [
  ...Array.from({ length: 30 }, (_, page) => `/en/api/persons?page=${page + 1}`),
  ...['/nl/api/subjects', '/en/api/locations?page=2', '/en/api/search?q=last_name:e', '/en/api/facets'],
  ...['/nl/personen/', '/en/feed.atom', '/en/docs', '/nl/zoeken/?q=jan'],
];

describeEngines('all attacks together (%s)', (engine) => {
  let folder: string;
  let database: TestDatabase;
  let bundle: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase(engine);
    bundle = await makeBundle(folder, { records: 2_000, seed: 3, busyPlace: 60 });
    const hostile = UUIDS.map((uuid, place) => ({ ...personOf(uuid, place), id: 900_000 + place }));
    await appendFile(
      join(bundle, 'persons.jsonl'),
      `${hostile.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
    await publishBundle(database, bundle);
  });

  test(`${MINUTES} minutes: no response is late or wrong`, {
    timeout: (MINUTES + 3) * 60_000,
  }, async () => {
    const { origin, process: server } = await serveDatabase(database);
    const port = Number(new URL(origin).port);
    const expected = new Map<string, string>();
    for (const path of READ) expected.set(path, (await ask(origin + path)).body);
    for (let round = 0; round < 10; round += 1) await ask(origin + LARGE_PAGE);
    // What it loads for the first message stays in memory.
    await (await sendCall(origin, callOf('describe_archive', {}))).text();
    const idle = residentMemory(server.pid);

    const keeping = new Agent({ keepAlive: true });
    await askOn(keeping, `${origin}/health`);
    const over = new AbortController();
    const { signal } = over;
    const attacks = [
      readNothing(port, signal),
      dripRequests(port, signal),
      readHostile(origin, signal),
      publishAndHold(origin, signal),
      askAssistants(origin, signal),
    ];
    const seen = await watch(server, origin, keeping, expected);
    keeping.destroy();
    over.abort();
    const done = await Promise.all(attacks);
    await sleep(3_000);
    const after = residentMemory(server.pid);
    server.kill('SIGTERM');
    const { code } = await server.ended;
    const facts = { idle, ...seen, after, attacks: done };
    process.stdout.write(`all attacks together, ${engine}, ${MINUTES} minutes: ${JSON.stringify(facts)}\n`);
    expect({ code, wrong: seen.wrong }).toEqual({ code: 0, wrong: [] });
    expect(seen.answers).toBeGreaterThan(60 * MINUTES);
    expect(seen.kept).toBeLessThanOrEqual(HEALTH_MILLISECONDS * seen.slowdown);
    expect(seen.connected).toBeLessThanOrEqual(CONNECTED_MILLISECONDS * seen.slowdown);
    expect(seen.most - idle).toBeLessThanOrEqual(MOST_MEGABYTES);
    for (const times of done) expect(times).toBeGreaterThan(0);
  });

  /** Reads as other clients, and compares each response with the first one. */
  async function watch(
    server: Running,
    origin: string,
    keeping: Agent,
    expected: ReadonlyMap<string, string>,
  ) {
    const wrong: string[] = [];
    let [answers, kept, connected, slowest, most, later, worked] = [0, 0, 0, 0, 0, 0, 0];
    const askHealth = async (agent: Agent | false) => {
      const { status, took } = await askOn(agent, `${origin}/health`);
      if (status !== 200) wrong.push(`/health: ${status}`);
      return Math.round(took);
    };
    for (const end = performance.now() + MINUTES * 60_000; performance.now() < end; await sleep(20)) {
      const path = READ[answers % READ.length] ?? '';
      kept = Math.max(kept, await askHealth(keeping));
      connected = Math.max(connected, await askHealth(false));
      const { status, body, took } = await ask(origin + path);
      if (status === 503) later += 1;
      else if (status !== 200 || !isSame(path, body, expected)) wrong.push(`${path}: ${status}`);
      slowest = Math.max(slowest, Math.round(took));
      most = Math.max(most, residentMemory(server.pid));
      answers += 1;
      worked += work();
    }
    const slowdown = Math.max(1, worked / answers / SAMPLE_MILLISECONDS);
    return { answers, later, slowest, kept, connected, slowdown, most, wrong };
  }

  /** The feed and the documentation name the edition: only their status is checked. */
  function isSame(path: string, body: string, expected: ReadonlyMap<string, string>): boolean {
    if (path.endsWith('.atom')) return body.startsWith('<?xml');
    return path.endsWith('/docs') ? body.includes('</html>') : expected.get(path) === body;
  }

  /** Publishes and holds an edition, and requests it by its number. */
  async function publishAndHold(origin: string, signal: AbortSignal): Promise<number> {
    let published = 0;
    const run = async (...options: string[]) => {
      const { code, stderr } = await runApi(
        ['publish', bundle, '--force', ...options],
        settingsFor(database),
      );
      expect(code, stderr).toBe(0);
      published += 1;
    };
    while (!signal.aborted) {
      await run('--hold', '--keep', '2');
      const { id } = JSON.parse((await ask(`${origin}/api/editions`)).body).editions[0];
      expect((await ask(`${origin}/en/api/persons?edition=${id + 1}`)).status).toBe(404);
      await run('--keep', '2');
      await pause(5_000, signal);
    }
    return published;
  }
});

async function ask(url: string): Promise<{ status: number; body: string; took: number }> {
  const started = performance.now();
  const response = await fetch(url);
  const body = await response.text();
  return { status: response.status, body, took: performance.now() - started };
}

/** Asks on a connection of an agent, or on a new one. @returns the status, and how long it took in milliseconds */
async function askOn(agent: Agent | false, url: string): Promise<{ status: number; took: number }> {
  const started = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).once('error', reject);
  });
  await buffer(response);
  return { status: response.statusCode ?? 0, took: performance.now() - started };
}

/** Asks as assistants that send everything, and leave some of it. @returns how many were answered */
async function askAssistants(origin: string, signal: AbortSignal): Promise<number> {
  let answered = 0;
  const ask = async (message: unknown, isLeft: boolean) => {
    const left = isLeft ? AbortSignal.timeout(5) : undefined;
    const response = await sendCall(origin, message, left).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (!response || text === undefined) return expect(isLeft).toBe(true);
    expect([200, 400, 503]).toContain(response.status);
    expect(text.length).toBeLessThan(10 * MOST_ANSWERED);
    answered += 1;
  };
  while (!signal.aborted) {
    for (let at = 0; at < MESSAGES.length && !signal.aborted; at += 2) {
      await Promise.all(
        MESSAGES.slice(at, at + 2).map((message, place) => ask(message, place === 1 && at % 4 === 0)),
      );
      await pause(100, signal);
    }
  }
  return answered;
}

/** Uses a thread for `SAMPLE_MILLISECONDS`. @returns how many milliseconds that took */
function work(): number {
  const started = performance.now();
  for (const from = process.threadCpuUsage(); ; ) {
    const { user, system } = process.threadCpuUsage(from);
    if (user + system >= SAMPLE_MILLISECONDS * 1_000) return performance.now() - started;
  }
}

/** Waits, unless the test ends first. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

/** Opens a hundred connections repeatedly that request megabytes and read nothing. @returns how many there were */
async function readNothing(port: number, signal: AbortSignal): Promise<number> {
  let opened = 0;
  while (!signal.aborted) {
    const sockets = Array.from({ length: 100 }, () => askAndReadNothing(port));
    opened += sockets.length;
    await pause(4_000, signal);
    for (const socket of sockets) socket.destroy();
  }
  return opened;
}

/** Opens twenty connections that send a request byte by byte. @returns how many were closed by the server */
async function dripRequests(port: number, signal: AbortSignal): Promise<number> {
  let closed = 0;
  const drip = async () => {
    while (!signal.aborted) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      let isClosed = false;
      socket.once('close', () => {
        isClosed = true;
      });
      for (const byte of `GET /en/api HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(200)}`) {
        if (isClosed || signal.aborted) break;
        socket.write(byte);
        await pause(500, signal);
      }
      if (isClosed) closed += 1;
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 20 }, drip));
  return closed;
}

/** Reads the pages of hostile texts, and the dump that contains them. @returns how many */
async function readHostile(origin: string, signal: AbortSignal): Promise<number> {
  let read = 0;
  while (!signal.aborted) {
    for (const uuid of UUIDS) {
      expect((await ask(`${origin}/nl/personen/${uuid}/`)).status).toBe(200);
      read += 1;
    }
    expect([200, 503]).toContain((await ask(`${origin}/nl/api/dump/persons.csv`)).status);
    await pause(500, signal);
  }
  return read;
}
