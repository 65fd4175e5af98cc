import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, openSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BARE_ENVIRONMENT } from '../../support/api-process.ts';
import { freePort } from '../../support/free-port.ts';
import { endAtLast } from '../../support/leftovers.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DEPLOY = join(ROOT, 'deploy', 'one-machine');
const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await chmod(folder, 0o777);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A file of deploy/one-machine, with the path of this checkout. */
async function readHere(name: string): Promise<string> {
  return (await readFile(join(DEPLOY, name), 'utf8')).replaceAll('/opt/archive/', ROOT);
}

describe('the unit, by systemd-analyze', needs('systemd-analyze'), () => {
  const program = placeOf('systemd-analyze');
  test.each([
    ['archive-api.service', 'archive-api.service'],
    ['archive-api@.service', 'archive-api@1.service'],
    ['archive-publish.service', 'archive-publish.service'],
  ])('%s is valid, and restricts the service', async (file, name) => {
    const unit = join(folder, name);
    await writeFile(unit, await readHere(file));
    const { stdout, stderr } = await run(program, ['verify', '--recursive-errors=no', unit]);
    expect(stdout + stderr).toBe('');
    // 20 of 100: the remainder is the network and compiling code.
    await run(program, ['security', '--offline=yes', '--threshold=20', unit]);
  });
});

describe('ProtectSystem=strict, in a namespace', needs('namespaces', 'root', 'findmnt'), () => {
  test('the server publishes and serves while it can only write to its own folder', {
    timeout: 90_000,
  }, async () => {
    const [state, port] = [join(folder, 'state'), await freePort()];
    await mkdir(state);
    await chmod(state, 0o777);
    const settings = await readHere('archive.env');
    const file = join(folder, 'archive.env');
    await writeFile(file, settings.replaceAll('/var/lib/archive', state).replace("'3000'", `'${port}'`));
    const command = join(DEPLOY, 'archive-api');
    // As systemd does it: read-only except the StateDirectory, without capabilities, as a user that owns nothing.
    const script = [
      'set -e',
      'mount --make-rprivate /',
      'mount --bind "$1" "$1"',
      `findmnt -rno TARGET | while read -r at; do case "$at" in "$1" | /proc* | /dev* | /sys*) ;; *) mount -o remount,bind,ro "$at" || true ;; esac; done`,
      'if touch /etc/of-the-system 2>/dev/null; then echo "the system can be written to" >&2; exit 9; fi',
      'cd "$1"',
      'drop="setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all"',
      '$drop "$2" publish "$3"',
      'exec $drop "$2" serve',
    ].join('\n');
    const child = spawn(
      'unshare',
      ['--mount', 'sh', '-c', script, 'sh', state, command, join(ROOT, 'apps/api/sample')],
      { env: { ...BARE_ENVIRONMENT, ARCHIVE_ENV: file }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const ended = once(child, 'close');
    endAtLast(async () => child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text));
    child.stderr.on('data', (text: Buffer) => (said += text));
    await expect.poll(() => healthOf(port), { timeout: 60_000 }).toBe(200);
    expect(said).toContain('Published edition 1');
    const answer = await fetch(`http://127.0.0.1:${port}/en/api/search?q=huygens`);
    expect(answer.status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await expect(stat(join(state, 'archive.sqlite'))).resolves.toBeDefined();
  });
});

describe('the log in a file, by logrotate', needs('logrotate'), () => {
  const program = placeOf('logrotate');
  test('is rotated while the server writes to it, without loss', async () => {
    const log = join(folder, 'archive-api.log');
    const configuration = join(folder, 'logrotate.conf');
    const rules = (await readHere('logrotate.conf')).replaceAll('/var/log/archive-api.log', log);
    await writeFile(configuration, rules);
    await chmod(folder, 0o755);
    const port = await freePort();
    const env = {
      ...BARE_ENVIRONMENT,
      ARCHIVE_ENV: '/nowhere',
      BASE_URL: 'http://archive.test',
      PORT: String(port),
      LOG_LEVEL: 'debug',
      DATABASE_URL: `sqlite:${join(folder, 'archive.sqlite')}`,
      DERIVED_DIR: join(folder, 'derived'),
    };
    const child = spawn(join(DEPLOY, 'archive-api'), ['serve', '--sample'], {
      env,
      stdio: ['ignore', 'ignore', openSync(log, 'a')],
    });
    const ended = once(child, 'close');
    endAtLast(async () => child.kill('SIGKILL'));
    const written = async () => await readFile(log, 'utf8');
    await expect.poll(() => healthOf(port), { timeout: 30_000 }).toBe(200);
    const rotate = () => run(program, ['--force', '--state', join(folder, 'state'), configuration]);
    await fetch(`http://127.0.0.1:${port}/en/api/persons?page=1`);
    await expect.poll(written).toContain('page=1');
    await rotate();
    expect(await readFile(`${log}.1`, 'utf8')).toContain('page=1');
    await fetch(`http://127.0.0.1:${port}/en/api/persons?page=2`);
    await expect.poll(written).toContain('page=2');
    // The truncated file begins with new lines, not with a hole.
    expect(await firstByte(log)).toBe('{');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

/** The status of `/health`; undefined if nothing answers. */
async function healthOf(port: number): Promise<number | undefined> {
  return await fetch(`http://127.0.0.1:${port}/health`).then(
    ({ status }) => status,
    () => undefined,
  );
}

async function firstByte(file: string): Promise<string> {
  for await (const bytes of createReadStream(file, { end: 0 })) return String(bytes);
  return '';
}
