import type { Engine } from '../support/create-database.ts';
import { isReached, showAim } from './aim.ts';
import type { Load } from './load.ts';
import type { Measurement } from './scenarios.ts';
import { showSample } from './statistics.ts';

/** All measurements of one archive on one engine. */
export interface MeasuredArchive {
  engine: Engine;
  records: number;
  /** Its description, if it is not one of the archives that differ by size. */
  name?: string;
  measurements: Measurement[];
  throughput: { connections: number; requestsPerSecond: number }[];
}

/** The measurements as a table in Markdown: a column for each archive; median, minimum and maximum. */
export function toMarkdown(machine: string, load: Load, measured: readonly MeasuredArchive[]): string {
  const titles = measured.map(
    ({ engine, records, name }) => `${engine}, ${name ?? `${records.toLocaleString('en')} records`}`,
  );
  const rows = new Map<string, { aims: Set<string>; cells: Map<number, string> }>();
  for (const [column, { measurements }] of measured.entries()) {
    for (const { scenario, unit, value, aim } of measurements) {
      const key = `${scenario} | ${unit}`;
      const row = rows.get(key) ?? { aims: new Set(), cells: new Map() };
      const mark = aim && !isReached(aim, value.median) ? ' ✗' : '';
      row.cells.set(column, showSample(value) + mark);
      if (aim) row.aims.add(showAim(aim));
      rows.set(key, row);
    }
  }
  const lines = [
    `${machine}; ${load.connections} connections, ${load.seconds} s a measurement; median (least–most); ✗ misses the aim.`,
    '',
    `| what | unit | ${titles.join(' | ')} | aim |`,
    `|---|---|${titles.map(() => '---|').join('')}---|`,
    ...[...rows].map(
      ([key, { aims, cells }]) =>
        `| ${key} | ${titles.map((_, column) => cells.get(column) ?? '').join(' | ')} | ${[...aims].join('; ')} |`,
    ),
    '',
  ];
  return lines.join('\n');
}

/** The order of columns: archives by size, then others; engines in the order of measurement. */
export function inOrder(measured: readonly MeasuredArchive[]): MeasuredArchive[] {
  const group = ({ name }: MeasuredArchive) => (name === undefined ? 0 : 1);
  return measured.toSorted((a, b) => group(a) - group(b) || a.records - b.records);
}
