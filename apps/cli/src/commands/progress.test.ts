import type { HarvestEvent } from '@archiefkast/client/node';
import { expect, test } from 'vitest';
import { createHarvestProgress } from './progress.ts';

const PAGE: HarvestEvent = { type: 'page', kind: 'person', page: 1, records: 10, count: 40 };

/** A terminal, a clock in milliseconds, and the output. */
function onTerminal(talk: Partial<{ json: boolean; quiet: boolean; verbose: boolean }> = {}, columns = 80) {
  let text = '';
  let data = '';
  const clock = { now: 0 };
  const stderr = { write: (more: string) => (text += more), isTTY: columns > 0, columns };
  const context = { stdout: { write: (more: string) => (data += more) }, stderr, progress: stderr };
  const settings = { json: false, quiet: false, verbose: false, ...talk };
  const progress = createHarvestProgress(context, settings, () => clock.now);
  return { progress, clock, said: () => text, data: () => data };
}

test('shows records, pages, rate and time left on one line', () => {
  const { progress, clock, said } = onTerminal();
  clock.now = 2000;
  progress.onEvent(PAGE);
  expect(said()).toBe('\r\u001b[2K10 of 40 records, 1 page, 5/s, ETA 6 s');
});

test('prints milestones without a terminal, none for a kind without records', () => {
  const { progress, said } = onTerminal({}, 0);
  progress.onEvent(PAGE);
  progress.onEvent({ ...PAGE, kind: 'subject', records: 0, count: 0 });
  expect(said()).toBe('persons: 10 of 40 records (25%)\n');
});

test('is not wider than the terminal', () => {
  const { progress, clock, said } = onTerminal({}, 20);
  clock.now = 1000;
  progress.onEvent(PAGE);
  expect(said()).toBe('\r\u001b[2K10 of 40 records, 1');
});

test('--json prints events and no sentences', () => {
  const { progress, said, data } = onTerminal({ json: true });
  progress.onEvent(PAGE);
  progress.say('something');
  expect(said()).toBe('');
  expect(data()).toBe(`${JSON.stringify(PAGE)}\n`);
});

test.for<[HarvestEvent, string]>([
  [
    { type: 'retry', url: 'u', reason: 'u: no', attempt: 2, waitMs: 1000 },
    'u: no. Retrying in 1 s (attempt 2).',
  ],
  [{ type: 'pinned', edition: '7' }, 'All kinds are read from edition 7.'],
  [
    { type: 'edition-gone', edition: '7' },
    'Edition 7 is no longer served; starting again with the current edition.',
  ],
  [{ type: 'resume', kind: 'event', pages: 2, records: 20 }, 'events: resuming after page 2, 20 records.'],
  [{ type: 'restart', kind: 'event', reason: 'it moved' }, 'events: starting again because it moved.'],
  [{ type: 'moved', kind: 'event', reason: 'it moved' }, 'events: the archive changed again: it moved.'],
])('prints a sentence for %j', ([event, sentence]) => {
  const { progress, said } = onTerminal();
  progress.onEvent(event);
  expect(said()).toBe(`${sentence}\n`);
});
