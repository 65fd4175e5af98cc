import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { startArchive } from './archive-server.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A name that only the proxy can reach. */
const HIDDEN = 'http://archive.invalid';

test('a harvest goes through the proxy of HTTP_PROXY or http_proxy', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const proxy = await startForwardProxy(Number(new URL(archive.url).port));
  context.onTestFinished(() => proxy.stop());
  for (const name of ['HTTP_PROXY', 'http_proxy']) {
    const environment = { [name]: proxy.url.replace('//', '//reader:secret@') };
    const search = ['search', '--count', '--retries', '0', '--base-url', HIDDEN];
    // The archive has no search, which it says.
    const { stderr } = await runCli(search, { environment });
    expect(stderr).toContain('There is nothing here.');
  }
  const authorization = `Basic ${Buffer.from('reader:secret').toString('base64')}`;
  expect(proxy.tunnels.length).toBeGreaterThan(1);
  for (const tunnel of proxy.tunnels) expect(tunnel).toEqual({ target: 'archive.invalid:80', authorization });
});

test('https goes through the proxy of HTTPS_PROXY, and the certificate is checked', async (context) => {
  const read = (name: string) => fileURLToPath(new URL(`tls/${name}`, import.meta.url));
  const [key, cert] = await Promise.all([
    readFile(read('key.pem'), 'utf8'),
    readFile(read('cert.pem'), 'utf8'),
  ]);
  const archive = await startArchive({ tls: { key, cert } });
  context.onTestFinished(() => archive.stop());
  const proxy = await startForwardProxy(Number(new URL(archive.url).port));
  context.onTestFinished(() => proxy.stop());
  const harvest = ['harvest', 'subjects', '--base-url', archive.url, '--out', await temporaryFolder(context)];
  const environment = { HTTPS_PROXY: proxy.url };
  expect(await runCli(harvest, { environment })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('the certificate is not trusted'),
  });
  const trusting = { ...environment, NODE_EXTRA_CA_CERTS: read('cert.pem') };
  expect(await runCli(harvest, { environment: trusting })).toMatchObject({ code: 0 });
  expect(proxy.tunnels.map(({ target }) => target)).toContain(new URL(archive.url).host);
});

test('hosts of NO_PROXY are reached without it', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const proxy = await startForwardProxy(1);
  context.onTestFinished(() => proxy.stop());
  const environment = { HTTP_PROXY: proxy.url, NO_PROXY: 'example.org,localhost' };
  const harvest = ['harvest', 'subjects', '--base-url', archive.url, '--out', await temporaryFolder(context)];
  expect(await runCli(harvest, { environment })).toMatchObject({ code: 0 });
  expect(proxy.tunnels).toEqual([]);
});

test('a proxy that refuses is named', async (context) => {
  const proxy = await startForwardProxy(1, 407);
  context.onTestFinished(() => proxy.stop());
  const search = ['search', '--count', '--base-url', HIDDEN, '--retries', '0'];
  const { code, stderr } = await runCli(search, { environment: { HTTP_PROXY: proxy.url } });
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Proxy response (407)'),
  });
});

test.for([
  ['HTTP_PROXY', 'proxy.example.org:3128'],
  ['https_proxy', 'socks5://127.0.0.1:1080'],
  ['HTTPS_PROXY', 'secret'],
] as const)('%s=%s is refused, without its value', async ([name, value]) => {
  const { code, stderr } = await runCli(['search', '--base-url', HIDDEN], { environment: { [name]: value } });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `archive-cli: ${name}: expected the address of a proxy, such as http://proxy.example.org:3128\n`,
  });
});
