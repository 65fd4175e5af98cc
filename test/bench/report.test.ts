import { expect, test } from 'vitest';
import { atLeast, atMost } from './aim.ts';
import { inOrder, type MeasuredArchive, toMarkdown } from './report.ts';
import { summarise } from './statistics.ts';

const MEASURED: MeasuredArchive[] = [
  {
    engine: 'sqlite',
    records: 5000,
    measurements: [
      { scenario: 'publish', unit: 'records/s', value: summarise([4000]), aim: atLeast(5000) },
      { scenario: 'search', unit: 'ms', value: summarise([3, 1, 2]), aim: atMost(30) },
    ],
    throughput: [],
  },
  {
    engine: 'mysql',
    records: 200_000,
    measurements: [
      { scenario: 'publish', unit: 'records/s', value: summarise([3000]), aim: atLeast(2500) },
      { scenario: 'start-up', unit: 'seconds', value: summarise([0.5]) },
    ],
    throughput: [],
  },
];

const BUSY_PLACE: MeasuredArchive = {
  engine: 'sqlite',
  records: 3000,
  name: 'busy place',
  measurements: [],
  throughput: [],
};

const LOAD = { connections: 16, seconds: 2 };

test('a report has a column for each archive, and marks values that miss their aim', () => {
  expect(toMarkdown('a machine', LOAD, MEASURED).split('\n')).toEqual([
    'a machine; 16 connections, 2 s a measurement; median (least–most); ✗ misses the aim.',
    '',
    '| what | unit | sqlite, 5,000 records | mysql, 200,000 records | aim |',
    '|---|---|---|---|---|',
    '| publish | records/s | 4,000 ✗ | 3,000 | ≥ 5,000; ≥ 2,500 |',
    '| search | ms | 2.00 (1.00–3.00) |  | ≤ 30 |',
    '| start-up | seconds |  | 0.50 |  |',
    '',
  ]);
});

test('figures read back from a file give the same report', () => {
  const again = JSON.parse(JSON.stringify(MEASURED)) as MeasuredArchive[];
  expect(toMarkdown('a machine', LOAD, again)).toBe(toMarkdown('a machine', LOAD, MEASURED));
});

test('archives are ordered by size, not by time of measurement', () => {
  expect(inOrder([BUSY_PLACE, ...MEASURED.toReversed()])).toEqual([...MEASURED, BUSY_PLACE]);
});
