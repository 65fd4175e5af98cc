import type { Engine } from '../support/create-database.ts';
import { missesAim, ROWS, type Row, showAim, timesAsGood, type Unit } from './rows.ts';
import { intervalOfMedian, showNumber, showSample, summarise } from './statistics.ts';

/** A build that is measured: of this checkout, or of the one to compare with. */
export type BuildName = 'before' | 'now';

/** What was measured of one archive on one engine: a value for each round, by row and build. */
export class Measured {
  readonly engine: Engine;
  readonly records: number;
  readonly #values = new Map<Row, Record<BuildName, number[]>>();

  constructor(engine: Engine, records: number) {
    this.engine = engine;
    this.records = records;
  }

  /** Adds a value. @throws Error if the table has no such row */
  add(build: BuildName, what: string, unit: Unit, value: number): void {
    const row = ROWS.find((each) => each.what === what && each.unit === unit);
    if (!row) throw new Error(`rows.ts: expected a row "${what}" in ${unit}`);
    const values = this.#values.get(row) ?? { before: [], now: [] };
    values[build].push(value);
    this.#values.set(row, values);
  }

  values(row: Row, build: BuildName): readonly number[] {
    return this.#values.get(row)?.[build] ?? [];
  }

  get title(): string {
    return `${this.engine}, ${this.records.toLocaleString('en')} records`;
  }
}

/** A table in Markdown: a column for each archive, with the median and the range of the rounds. */
export function toMarkdown(archives: readonly Measured[]): string {
  const lines = measuredRows(archives).map((row) => {
    const cells = archives.map((archive) => {
      const values = archive.values(row, 'now');
      if (values.length === 0) return '';
      const sample = summarise(values);
      return showSample(sample) + (missesAim(row, archive.records, sample.median) ? ' ✗' : '');
    });
    return [row.what, row.unit, ...cells, showAim(row)];
  });
  return table(['what', 'unit', ...archives.map(({ title }) => title), 'aim'], lines);
}

/** The comparison of two builds as a table in Markdown: medians, and that of the ratio of each round with its interval. */
export function compareToMarkdown(archive: Measured): string {
  const lines = measuredRows([archive]).map((row) => {
    const [before, now] = [archive.values(row, 'before'), archive.values(row, 'now')];
    const ratios = now.map((value, round) => timesAsGood(row, before[round] ?? Number.NaN, value));
    const interval = intervalOfMedian(ratios);
    const range = interval ? `${interval.least.toFixed(3)}–${interval.most.toFixed(3)}` : 'too few rounds';
    const ratio = `${summarise(ratios).median.toFixed(3)} (${range})`;
    const medians = [before, now].map((values) => showNumber(summarise(values).median));
    return [row.what, row.unit, ...medians, ratio + (isWorse(row, ratios) ? ' ✗' : '')];
  });
  return table([archive.title, 'unit', 'before', 'now', 'times as good as before'], lines);
}

/** Whether the ratios of all rounds show that the build is worse: their interval lies below what the row allows. */
export function isWorse({ noWorse }: Row, ratios: readonly number[]): boolean {
  const interval = intervalOfMedian(ratios);
  return interval !== undefined && interval.most < noWorse;
}

/** The rows with a value for one of the archives; all if there are no archives. */
function measuredRows(archives: readonly Measured[]): readonly Row[] {
  if (archives.length === 0) return ROWS;
  return ROWS.filter((row) => archives.some((archive) => archive.values(row, 'now').length > 0));
}

function table(titles: readonly string[], lines: readonly (readonly string[])[]): string {
  const separator = titles.map(() => '---');
  return [titles, separator, ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
