import { expect, test } from 'vitest';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type ArchiveServerOptions, startArchive } from './archive-server.ts';
import { runCli } from './run-cli.ts';
import { readTestTls, TEST_CERTIFICATE } from './tls.ts';

/** Searches an archive by a name that only the proxy can reach. */
const SEARCH = ['search', '--count', '--retries', '0', '--base-url', 'http://archive.invalid'];

/** An archive and a proxy that leads to it, and a command that harvests by the address of the archive. */
async function startBehindProxy(options: ArchiveServerOptions = {}) {
  const archive = await startArchive(options);
  const proxy = await startForwardProxy(Number(new URL(archive.url).port));
  const out = await temporaryFolder();
  return { archive, proxy, harvest: ['harvest', 'subjects', '--base-url', archive.url, '--out', out] };
}

test('a search goes through the proxy of HTTP_PROXY or http_proxy', async () => {
  // One page: links to others would lead to the archive itself.
  const { proxy } = await startBehindProxy({ counts: { subject: 8 } });
  for (const name of ['HTTP_PROXY', 'http_proxy']) {
    const environment = { [name]: proxy.url.replace('//', '//reader:secret@') };
    expect(await runCli(SEARCH, environment)).toMatchObject({ code: 0, stdout: '8\n' });
  }
  const authorization = `Basic ${Buffer.from('reader:secret').toString('base64')}`;
  expect(proxy.tunnels.length).toBeGreaterThan(1);
  for (const tunnel of proxy.tunnels) expect(tunnel).toEqual({ target: 'archive.invalid:80', authorization });
});

test('https goes through the proxy of HTTPS_PROXY, and the certificate is checked', async () => {
  const { archive, proxy, harvest } = await startBehindProxy({ tls: await readTestTls() });
  const environment = { HTTPS_PROXY: proxy.url };
  expect(await runCli(harvest, environment)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('the certificate is not trusted'),
  });
  const trusting = { ...environment, NODE_EXTRA_CA_CERTS: TEST_CERTIFICATE };
  expect(await runCli(harvest, trusting)).toMatchObject({ code: 0 });
  expect(proxy.tunnels.map(({ target }) => target)).toContain(new URL(archive.url).host);
});

test('hosts of NO_PROXY are reached without it', async () => {
  const { proxy, harvest } = await startBehindProxy();
  const environment = { HTTP_PROXY: proxy.url, NO_PROXY: 'example.org,localhost' };
  expect(await runCli(harvest, environment)).toMatchObject({ code: 0 });
  expect(proxy.tunnels).toEqual([]);
});

test('a network of NO_PROXY is reached without the proxy, and what is not understood is said once', async () => {
  const { archive, proxy } = await startBehindProxy({ counts: { subject: 8 } });
  const search = ['search', '--count', '--base-url', archive.url.replace('localhost', '127.0.0.1')];
  const environment = { HTTP_PROXY: proxy.url, NO_PROXY: '127.*,127.0.0.0/8' };
  const { code, stderr } = await runCli(search, environment);
  expect({ code, tunnels: proxy.tunnels }).toEqual({ code: 0, tunnels: [] });
  expect(stderr.match(/NO_PROXY: "127\.\*" is not understood/g)).toHaveLength(1);
});

test.each([
  [407, 'the proxy wants another user name and password'],
  [403, 'the proxy does not lead to this address'],
])('a proxy that refuses with %i gets one request, and a sentence of its own', async (status, sentence) => {
  const proxy = await startForwardProxy(1, status);
  const search = SEARCH.filter((word) => word !== '--retries' && word !== '0');
  expect(await runCli(search, { HTTP_PROXY: proxy.url })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(sentence),
  });
  expect(proxy.tunnels).toHaveLength(1);
});
