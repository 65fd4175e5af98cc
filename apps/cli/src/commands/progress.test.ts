import type { HarvestEvent } from '@archiefkast/client/node';
import { expect, test } from 'vitest';
import { createHarvestProgress } from './progress.ts';

const PAGE: HarvestEvent = { type: 'page', kind: 'person', page: 1, records: 10, count: 40 };

/** A terminal, a clock in milliseconds, and what was said. */
function onTerminal(columns = 80) {
  let text = '';
  const clock = { now: 0 };
  const stderr = { write: (more: string) => (text += more), isTTY: columns > 0, columns };
  const context = { stdout: stderr, stderr };
  const settings = { json: false, quiet: false, verbose: false };
  const progress = createHarvestProgress(context, settings, () => clock.now);
  return { progress, clock, said: () => text };
}

test('shows records, pages, rate and time left on one line', () => {
  const { progress, clock, said } = onTerminal();
  clock.now = 2000;
  progress.onEvent(PAGE);
  expect(said()).toBe('\r\u001b[2K10 of 40 records, 1 page, 5/s, ETA 6 s');
});

test('prints milestones without a terminal, none for a kind without records', () => {
  const { progress, said } = onTerminal(0);
  progress.onEvent(PAGE);
  progress.onEvent({ ...PAGE, kind: 'subject', records: 0, count: 0 });
  expect(said()).toBe('persons: 10 of 40 records (25%)\n');
});

test('is not wider than the terminal', () => {
  const { progress, clock, said } = onTerminal(20);
  clock.now = 1000;
  progress.onEvent(PAGE);
  expect(said()).toBe('\r\u001b[2K10 of 40 records, 1');
});
