import { expect, test } from 'vitest';
import { createLog } from './serve.ts';

test('the log is formatted text on a terminal', async () => {
  let text = '';
  const log = await createLog('info', { isTTY: true, write: (more) => (text += more) });
  log.info({ edition: 7 }, 'serving edition');
  log.debug('not at this level');
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: serving edition\n {4}edition: 7\n$/);
});
