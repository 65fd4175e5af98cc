import { expect, test } from 'vitest';
import { createLog } from './serve.ts';

async function logged(isTTY: boolean): Promise<string> {
  let text = '';
  const log = await createLog('info', { isTTY, write: (more) => (text += more) });
  log.info({ edition: 7 }, 'serving edition');
  log.debug('not at this level');
  return text;
}

test('a line of JSON if the output is not a terminal', async () => {
  expect(JSON.parse(await logged(false))).toMatchObject({
    level: 'info',
    edition: 7,
    msg: 'serving edition',
  });
});

test('formatted text on a terminal', async () => {
  expect(await logged(true)).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: serving edition\n {4}edition: 7\n$/);
});
