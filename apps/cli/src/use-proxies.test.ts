import { expect, test } from 'vitest';
import { useProxies } from './use-proxies.ts';

test('proxies need a Node that knows them', async () => {
  const older = async () => ({});
  expect(await useProxies({ HTTPS_PROXY: 'http://proxy.test:3128' }, older)).toBe(
    'HTTPS_PROXY: proxies need Node 24.14 or newer',
  );
  expect(await useProxies({ NO_PROXY: '*' }, older)).toBeUndefined();
});
