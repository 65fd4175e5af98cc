import { printable } from '@archiefkast/system/terminal';
import stringWidth from 'string-width';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openRecords } from '../records.ts';
import { type StatisticsResult, statisticsOf, type Tally } from '../statistics/statistics.ts';
import { grouped } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import type { StatsSettings } from './options.ts';

/** `archive-cli stats <folder>`: prints statistics of a harvest or a bundle. */
export async function command({ stdout }: CommandContext, settings: StatsSettings): Promise<ExitCode> {
  const { folder, json } = settings;
  using store = await openRecords(folder);
  const result = statisticsOf(store);
  const text = () => printable(statisticsText(result, stdout.columns ?? 80), { keepLines: true });
  stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : text());
  return EXIT.done;
}

/** Spaces between a name, its number and its bar. */
const GAP = 2;
const WIDEST_BAR = 40;

/** Statistics as text, with a bar for each number. @param width maximum width of lines, in characters */
function statisticsText(result: StatisticsResult, width: number): string {
  const records = Object.entries(result.records).map(([kind, count]) => ({
    name: `${kind}s`,
    records: count,
  }));
  const centuries = result.centuries.map(({ name, records: count }) => ({
    name: `${Number(name) * 100 - 99}–${Number(name) * 100}`,
    records: count,
  }));
  const parts: [string, Tally][] = [
    ['Records', records],
    ['Centuries of births and events', centuries],
    ['Places of birth, of death, of locations', result.places],
    ['Subjects that most records name', result.subjects],
    ['Records with a text, by language', result.languages],
    ['Missing', result.missing],
  ];
  const shown = parts.filter(([, tally]) => tally.length > 0);
  return `${shown.map(([title, tally]) => `${title}\n${bars(tally, width)}`).join('\n\n')}\n`;
}

function bars(tally: Tally, width: number): string {
  const most = Math.max(...tally.map(({ records }) => records));
  const numberWidth = grouped(most).length;
  const nameWidth = Math.min(
    Math.max(...tally.map(({ name }) => stringWidth(name))),
    Math.max(10, width - numberWidth - 3 * GAP - 10),
  );
  const barWidth = Math.max(1, Math.min(WIDEST_BAR, width - nameWidth - numberWidth - 3 * GAP));
  return tally
    .map(({ name, records }) => {
      const label = stringWidth(name) > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name;
      const bar = '█'.repeat(Math.max(1, Math.round((barWidth * records) / most)));
      const space = ' '.repeat(nameWidth - stringWidth(label));
      return `  ${label}${space}  ${grouped(records).padStart(numberWidth)}  ${bar}`;
    })
    .join('\n');
}
