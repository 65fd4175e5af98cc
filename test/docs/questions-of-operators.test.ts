import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { serveDatabase } from '../support/api-server.ts';
import { FIXTURE, writeBundle } from '../support/fixture/fixture-bundle.ts';
import { freePort } from '../support/free-port.ts';
import { needs, placeOf } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase } from '../support/test-database.ts';

const PAGE = readFileSync(new URL('../../docs/questions-of-operators.md', import.meta.url), 'utf8');
const run = promisify(execFile);

/** The first block of the page that begins so. */
function blockOf(beginning: string): string {
  const found = [...PAGE.matchAll(/^```(.*\n[^`]*)^```$/gm)].find(([, text]) => text?.startsWith(beginning));
  if (!found?.[1]) throw new Error(`no block begins with ${beginning}`);
  return found[1].slice(found[1].indexOf('\n') + 1);
}

test('a server that a script has started ends when the script ends it', needs('curl'), async () => {
  const folder = await temporaryFolder();
  const [bin, port] = [join(folder, 'bin'), String(await freePort())];
  await mkdir(bin);
  const program = fileURLToPath(new URL('../../apps/api/bin/archive-api.js', import.meta.url));
  await symlink(program, join(bin, 'archive-api'));
  await symlink(process.execPath, join(bin, 'node'));
  const script = blockOf('sh\narchive-api serve').replaceAll('3000', port);
  // Prints the exit code of the server, which `wait` returns.
  const { stdout, stderr } = await run('sh', ['-c', `${script}echo "ended with $?"`], {
    cwd: folder,
    env: { PATH: `${bin}:${process.env['PATH']}`, PORT: port, HOME: folder },
  });
  expect(stdout, stderr).toMatch(/ended with 0\n$/);
  expect(stderr).toContain('"msg":"stopped"');
  await expect(fetch(`http://localhost:${port}/health`)).rejects.toThrow();
});

describe('the addresses of a record that is gone', needs('jq'), () => {
  test('are those that answered before', async () => {
    const database = await createTestDatabase('sqlite');
    await publishHere(database, await writeBundle(join(database.folder, 'first'), FIXTURE));
    const gone = { ...FIXTURE, event: FIXTURE.event.slice(1) };
    await publishHere(database, await writeBundle(join(database.folder, 'second'), gone));
    const server = await serveDatabase(database);
    const filter = join(database.folder, 'addresses.jq');
    await writeFile(filter, blockOf('jq\n'));
    const changes = join(database.folder, 'changes.json');
    await writeFile(changes, await (await server.fetch('/api/changes?since=1')).text());
    const { stdout } = await run(placeOf('jq'), ['--raw-output', '--from-file', filter, changes]);
    const addresses = stdout.trim().split('\n');
    expect(addresses).toHaveLength(8);
    for (const path of addresses) {
      expect((await server.fetch(`${path}?edition=1`)).status, path).toBe(200);
      expect((await server.fetch(path)).status, path).toBe(410);
    }
    await server.stop();
  });
});

test('the real address is a configuration of nginx', needs('nginx'), async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, `pid ${folder}/pid; events {} http { access_log off; ${blockOf('nginx real')} }`);
  const { stderr } = await run(placeOf('nginx'), ['-t', '-q', '-e', `${folder}/error.log`, '-c', file]);
  expect(stderr).toBe('');
});
