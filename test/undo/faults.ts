import type { Fault } from './fault.ts';
import { HARVESTING } from './faults/harvesting.ts';
import { OPERATING } from './faults/operating.ts';
import { PUBLISHING } from './faults/publishing.ts';
import { READING } from './faults/reading.ts';
import { SEARCHING } from './faults/searching.ts';
import { SERVING } from './faults/serving.ts';
import { TEXTS } from './faults/texts.ts';

/** Every fault that was mended, with the edits that bring it back and the test that then fails. */
export const FAULTS: readonly Fault[] = [
  ...SERVING,
  ...READING,
  ...SEARCHING,
  ...PUBLISHING,
  ...TEXTS,
  ...HARVESTING,
  ...OPERATING,
];
