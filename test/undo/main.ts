import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bringBack, findFailing } from './bring-back.ts';
import { copyCheckout } from './copy-checkout.ts';
import { checkFaults, LIST, readFaults } from './read-faults.ts';

const USAGE = `usage: npm run undo -- [ID...] [options]

Brings faults that were mended back, one at a time, in copies of the checkout, and runs the test that guards each: it must
fail. Prints a line for each fault; the last line has the totals.

  --at-once 2  number of copies
`;

const ROOT = resolve(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'at-once': { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  if (values.help) return say(USAGE, 0);
  const faults = readFaults(readFileSync(join(ROOT, LIST), 'utf8'));
  const unknown = positionals.filter((id) => !faults.some((fault) => fault.id === id));
  if (unknown.length > 0)
    return say(`Unknown faults: ${unknown.join(', ')}. ${LIST} has all.\n\n${USAGE}`, 2);
  const chosen = faults.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const wrong = checkFaults(chosen, ROOT);
  if (wrong.length > 0) return say(wrong.join('\n'), 1);

  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'archive-undo-')));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [first = folder, ...others] = Array.from({ length: Number(values['at-once']) }, (_, index) =>
    join(folder, String(index)),
  );
  copyCheckout(ROOT, first);
  const failing = await findFailing(chosen, first);
  for (const copy of others) cpSync(first, copy, { recursive: true, verbatimSymlinks: true });

  const queue = new Set(chosen);
  let seen = 0;
  const work = async (copy: string) => {
    for (const fault of queue) {
      queue.delete(fault);
      const started = performance.now();
      const why = failing.get(fault);
      const { isSeen, how } = why ? { isSeen: false, how: why } : await bringBack(fault, copy);
      if (isSeen) seen += 1;
      const seconds = Math.round((performance.now() - started) / 1000);
      say(`${isSeen ? 'seen' : 'UNSEEN'} ${fault.id} (${seconds} s): ${how}`);
    }
  };
  await Promise.all([first, ...others].map(work));
  return say(`${seen} seen, ${chosen.length - seen} unseen`, seen === chosen.length ? 0 : 1);
}

/** @returns the exit code */
function say(text: string, code = 0): number {
  process.stdout.write(`${text}\n`);
  return code;
}
