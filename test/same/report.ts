import { patternOf } from './addresses.ts';
import type { Difference } from './differences.ts';

/** Differences shown in detail: of each pattern, and in all. */
const MOST_OF_PATTERN = 3;
const MOST_SHOWN = 60;
const MOST_CHARACTERS = 160;

/** Counts what was compared, and collects what differs and is not accepted. */
export class Report {
  compared = 0;
  /** Number of addresses, files and outputs with a difference that is not accepted. */
  differing = 0;
  accepted = 0;
  readonly #isAccepted: (subject: string, difference: Difference) => boolean;
  readonly #counts = new Map<string, number>();
  readonly #shown: string[] = [];

  constructor(isAccepted: (subject: string, difference: Difference) => boolean) {
    this.#isAccepted = isAccepted;
  }

  /**
   * Adds the result of a comparison.
   *
   * @param subject the address with its method, the command, or the file of a command: what accepted.txt names
   * @param how where and how it was asked for
   */
  add(subject: string, how: string, differences: readonly Difference[]): void {
    this.compared += 1;
    const left = differences.filter((difference) => !this.#isAccepted(subject, difference));
    this.accepted += differences.length - left.length;
    const [first] = left;
    if (!first) return;
    this.differing += 1;
    const pattern = `${patternOf(subject)} in ${first.field.replaceAll(/\d+/g, 'n')}`;
    const count = (this.#counts.get(pattern) ?? 0) + 1;
    this.#counts.set(pattern, count);
    if (count > MOST_OF_PATTERN || this.#shown.length >= MOST_SHOWN) return;
    const [before, now] = [first.before, first.now].map((text) =>
      JSON.stringify(text.slice(0, MOST_CHARACTERS)),
    );
    const others = left.length > 1 ? ` (and ${left.length - 1} more places)` : '';
    this.#shown.push(`${subject} (${how}): ${first.field}${others}\n  before ${before}\n  now    ${now}\n`);
  }

  summary(): string {
    const counts = [...this.#counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([pattern, count]) => `${count} ${pattern}\n`);
    const totals = `${this.compared} compared, ${this.differing} different, ${this.accepted} differences accepted\n`;
    return [...this.#shown, ...counts, totals].join('');
  }
}
