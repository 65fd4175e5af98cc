/** A stream for text and bytes. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  /** True on a terminal. */
  isTTY?: boolean;
  /** Width in characters, on a terminal. */
  columns?: number;
  /** True on a terminal that only prints (`TERM=dumb`). */
  isDumb?: boolean;
}

/** Minimum time between two updates of the line. */
const INTERVAL_MILLISECONDS = 100;

/** Creates a line on a terminal that is overwritten; on another output it prints nothing. */
export function createProgressLine(output: Output) {
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(text: () => string): void {
      const now = performance.now();
      if (!output.isTTY || output.isDumb || now - last < INTERVAL_MILLISECONDS) return;
      last = now;
      output.write(`\r\u001b[2K${text().slice(0, (output.columns ?? 80) - 1)}`);
    },
    /** Removes the line. */
    clear(): void {
      if (last > Number.NEGATIVE_INFINITY) output.write('\r\u001b[2K');
      last = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Control characters, and those that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same except tabs and line ends; a carriage return without line feed is not a line end. */
const UNPRINTABLE_IN_LINES = new RegExp(`(?![\\n\\t]|\\r\\n)${UNPRINTABLE.source}`, 'gu');

/** Escapes the characters of a text that would control a terminal, as `\u001b`; with `keepLines`, not tabs and line ends. */
export function printable(text: string, { keepLines = false }: { keepLines?: boolean } = {}): string {
  const unprintable = keepLines ? UNPRINTABLE_IN_LINES : UNPRINTABLE;
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A whole number with commas between thousands: 70,000. */
export function grouped(value: number): string {
  return value.toLocaleString('en-GB');
}

/** A number with a noun: "1 record", "70,000 records". */
export function counted(value: number, thing: string): string {
  return `${grouped(value)} ${thing}${value === 1 ? '' : 's'}`;
}

/** A duration: "12 s", "3:05 min", "2:03:05 h". */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)} h`;
}
