import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { endAtLast } from './leftovers.ts';

/** A running proxy in front of the server. */
export interface RunningProxy {
  port: number;
  /** The folder with its configuration. */
  folder: string;
  stop(): Promise<void>;
}

/** The example of a proxy in docs in a language, such as `vcl`. @throws Error if there is none */
export async function readExample(language: string): Promise<string> {
  const pages = ['install-and-hosting', 'operations'].map((page) =>
    readFile(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8'),
  );
  const docs = (await Promise.all(pages)).join('\n');
  const example = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(docs)?.[1];
  if (!example) throw new Error(`no page of docs has an example in ${language}`);
  return example;
}

/** Varnish as configured in the documentation, in front of the server at `backend`. */
export async function startVarnish(program: string, backend: number): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-varnish-'));
  const vcl = join(folder, 'archive.vcl');
  await writeFile(vcl, (await readExample('vcl')).replace('"3000"', `"${backend}"`));
  const port = await freePort();
  const listen = `127.0.0.1:${port}`;
  const options = ['-n', join(folder, 'work'), '-a', listen, '-f', vcl, '-s', 'malloc,32M', '-T', 'none'];
  return startProxy(program, ['-F', '-j', 'none', ...options], port, folder);
}

/**
 * nginx as configured in the documentation, in front of the server at `backend`, with a certificate made for it.
 *
 * @param options.isLimited whether to include the limits by address of deploy/nginx
 * @param options.crawlers addresses of crawlers: those of the file as shipped, by default
 */
export async function startNginx(
  program: string,
  backend: number,
  { isLimited = false, crawlers }: { isLimited?: boolean; crawlers?: string } = {},
): Promise<RunningProxy> {
  const { folder, certificate, key } = await createCertificate('archive-nginx-');
  const port = await freePort();
  const crawlerFile = join(folder, 'crawlers.conf');
  await writeFile(crawlerFile, crawlers ?? (await readDeployed('archive-crawlers.conf')));
  const limits = {
    http: isLimited ? await readDeployed('archive-limits.conf') : '',
    location: isLimited ? await readDeployed('archive-limits-location.conf') : '',
  };
  const example = (await readExample('nginx'))
    .replace('127.0.0.1:3000', `127.0.0.1:${backend}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('/etc/ssl/example.test.pem', certificate)
    .replace('/etc/ssl/example.test.key', key)
    .replace('location /archive/ {', (start) => `${start}\n${limits.location}`);
  const http = limits.http.replace('/etc/nginx/archive-crawlers.conf', crawlerFile);
  return runNginx(program, port, folder, `${http}\n${example}`);
}

const readDeployed = (name: string) =>
  readFile(new URL(`../../deploy/nginx/${name}`, import.meta.url), 'utf8');

/** nginx with the cache of the documentation, which stands for a CDN, in front of the server at `backend`. */
export async function startCache(program: string, backend: number): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-cache-'));
  // Started by root, nginx keeps responses as another user.
  await chmod(folder, 0o755);
  const port = await freePort();
  const example = (await readExample('nginx cache'))
    .replace('127.0.0.1:3000', `127.0.0.1:${backend}`)
    .replace('listen 80', `listen 127.0.0.1:${port}`)
    .replace('/var/cache/nginx/archive', join(folder, 'kept'));
  return runNginx(program, port, folder, example);
}

/** Starts nginx with what is configured for HTTP. */
async function runNginx(program: string, port: number, folder: string, http: string): Promise<RunningProxy> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const configuration = [
    'daemon off;',
    `pid ${join(folder, 'pid')};`,
    'events {}',
    `http { access_log off; ${temporary.join(' ')} ${http} }`,
  ];
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration.join('\n'));
  return startProxy(program, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], port, folder);
}

/** HAProxy as configured in the documentation, in front of the server at `backend`, with a certificate made for it. */
export async function startHaproxy(program: string, backend: number): Promise<RunningProxy> {
  const { folder, certificate, key } = await createCertificate('archive-haproxy-');
  const both = join(folder, 'both.pem');
  await writeFile(both, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  const example = (await readExample('haproxy'))
    .replace('127.0.0.1:3000', `127.0.0.1:${backend}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('/etc/ssl/example.test.pem', both);
  await writeFile(file, example);
  return startProxy(program, ['-f', file], port, folder);
}

/** Caddy as configured in the documentation, in front of the server at `backend`, with a certificate made for it. */
export async function startCaddy(program: string, backend: number): Promise<RunningProxy> {
  const { folder, certificate, key } = await createCertificate('archive-caddy-');
  const port = await freePort();
  const file = join(folder, 'Caddyfile');
  const sites = ['example.test', '127.0.0.1'].map((host) => `https://${host}:${port}`).join(', ');
  const example = (await readExample('caddyfile'))
    .replace('127.0.0.1:3000', `127.0.0.1:${backend}`)
    .replace('example.test {', `${sites} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`);
  const options = `{\n\tadmin off\n\tauto_https off\n}\n`;
  await writeFile(file, options + example);
  return startProxy(program, ['run', '--adapter', 'caddyfile', '--config', file], port, folder);
}

/** A new folder with a certificate for example.test and 127.0.0.1, and its key. */
async function createCertificate(
  prefix: string,
): Promise<{ folder: string; certificate: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=example.test'],
    ...['-addext', 'subjectAltName=DNS:example.test,IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ]);
  return { folder, certificate, key };
}

/** Starts a proxy, and waits until it accepts connections on `port`; `folder` is removed when it ends. */
export async function startProxy(
  program: string,
  args: string[],
  port: number,
  folder: string,
): Promise<RunningProxy> {
  // Caddy keeps its settings in a folder of the user's.
  const env = { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = once(child, 'close');
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${program} does not start:\n${said}`);
    await sleep(50);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  endAtLast(stop);
  return { port, folder, stop };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
