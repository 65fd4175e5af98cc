import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { type RunningProxy, startProxy } from '../../support/proxy.ts';

/** Starts a HAProxy in front of a database that cuts connections after two idle seconds. */
export async function startCuttingProxy(databasePort: number): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-haproxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  const configuration = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 2s',
    '  timeout server 2s',
    'listen database',
    `  bind 127.0.0.1:${port}`,
    `  server node 127.0.0.1:${databasePort}`,
    '',
  ];
  await writeFile(file, configuration.join('\n'));
  return startProxy('haproxy', ['-db', '-f', file], port, folder);
}
