import { LANGUAGES } from '@archiefkast/types';
import { expect, test } from 'vitest';
import type { TextKind } from '../storage/stored-texts.ts';
import { DumpBlocks } from './dump-blocks.ts';

const COUNTS = { person: 2, subject: 1, location: 2, event: 1_200 };

/** The blocks of records that embed each other, with the events added in an order. */
function blocksOf(events: readonly number[], isSorted: boolean) {
  const blocks = new DumpBlocks(COUNTS, isSorted);
  const add = (textKind: TextKind, position: number) => {
    const text = JSON.stringify({ name: `${textKind} ${position}` });
    for (const language of LANGUAGES)
      blocks.addText(language, textKind, position, { text, line: Buffer.from(`${text}\n`) });
  };
  add('subject', 1);
  for (const position of [2, 1]) add('person', position);
  for (const position of [1, 2]) {
    add('location', position);
    blocks.addEmbedded('location', position, 'abbreviated_event', events);
    blocks.addEmbedded('location', position, 'subject', [1]);
  }
  const locations = new Uint32Array(COUNTS.event);
  for (const position of events) {
    const location = position % 3;
    add('event', position);
    add('abbreviated_event', position);
    blocks.addEmbedded('event', position, 'person', position % 2 === 0 ? [2, 1] : []);
    blocks.addEmbedded('event', position, 'location', location === 0 ? [] : [location]);
    locations[position - 1] = location;
  }
  return blocks.finish(locations);
}

test('the blocks do not depend on the order in which events are added', () => {
  const events = Array.from({ length: COUNTS.event }, (_, index) => index + 1);
  const sorted = blocksOf(events, true);
  expect(sorted).toHaveLength(2 * (1 + 1 + 1 + 2));
  expect(blocksOf(events, false)).toEqual(sorted);
  expect(blocksOf(events.toReversed(), false)).toEqual(sorted);
});
