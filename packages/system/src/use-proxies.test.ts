import { expect, test } from 'vitest';
import { readNoProxy, useProxies } from './use-proxies.ts';

test('proxies need a Node that knows them', async () => {
  const older = async () => ({});
  const proxy = { HTTPS_PROXY: 'http://proxy.test:3128' };
  const refused = 'HTTPS_PROXY: proxies need Node 24.14 or newer';
  await expect(useProxies(proxy, 'http://a.test', older)).rejects.toThrow(refused);
  expect(await useProxies({ ...proxy, NO_PROXY: '*' }, 'http://a.test', older)).toEqual([]);
  expect(await useProxies({ NO_PROXY: '127.*' }, 'http://a.test', older)).toEqual([]);
});

test.for<[list: string, address: string, isExcepted: boolean, unknown?: string[]]>([
  ['a.test', 'http://a.test', true],
  ['A.TEST.', 'http://a.test', true],
  ['a.test', 'http://www.a.test', true],
  ['a.test', 'http://aa.test', false],
  ['.a.test', 'http://www.a.test', true],
  ['*.a.test', 'http://www.a.test', true],
  ['b.test,  a.test', 'http://a.test', true],
  ['b.test a.test', 'http://a.test', true],
  ['münchen.test', 'http://www.münchen.test', true],
  ['my-host', 'http://my-host', true],
  ['a.test:8080', 'http://a.test:8080', true],
  ['a.test:8080', 'http://a.test', false],
  ['a.test:443', 'https://a.test', true],
  ['127.0.0.1', 'http://127.0.0.1:5302', true],
  ['127.0.0.1:5302', 'http://127.0.0.1:5302', true],
  ['127.0.0.0/8', 'http://127.9.9.9', true],
  ['127.0.0.0/8', 'http://localhost', false],
  ['10.0.0.0/8', 'http://11.0.0.1', false],
  ['10.0.0.1-10.0.0.9', 'http://10.0.0.5', true],
  ['::1', 'http://[::1]:3000', true],
  ['[::1]:3000', 'http://[::1]:3000', true],
  ['fd00::/8', 'http://[fd12::1]', true],
  ['*', 'http://a.test', true],
  ['', 'http://a.test', false],
  ['127.*', 'http://127.0.0.1', false, ['127.*']],
  ['localhost;127.0.0.1', 'http://127.0.0.1', false, ['localhost;127.0.0.1']],
  ['http://127.0.0.1', 'http://127.0.0.1', false, ['http://127.0.0.1']],
  ['10.0.0.0/99,a.test', 'http://a.test', true, ['10.0.0.0/99']],
])('%s in NO_PROXY and %s: %s', ([list, address, isExcepted, unknown = []]) => {
  expect(readNoProxy(list, new URL(address))).toEqual({ isExcepted, unknown });
});
