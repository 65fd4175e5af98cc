import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A stream for text and bytes. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  /** Writes control characters too: for what a program draws itself. Absent where `write` does. */
  writeRaw?(text: string): unknown;
  /** True on a terminal. */
  isTTY?: boolean;
  /** Width in characters, on a terminal. */
  columns?: number;
  /** True on a terminal that only prints (`TERM=dumb`). */
  isDumb?: boolean;
}

/** The process of a command line program; programs use nothing else of it. */
export interface Process {
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** For data. */
  stdout: Output;
  /** For progress and errors. */
  stderr: Output;
  /** Aborted when the process is asked to stop. */
  signal: AbortSignal;
}

/** Exit codes of every command. */
export const EXIT = {
  /** Success. */
  done: 0,
  /** Failed. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
} as const;

/** The longest time of a timer of Node, in seconds: 24 days. */
export const LONGEST_SECONDS = 2_147_483;

/** The arguments are invalid; the message says what is expected. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * The outputs of a program until stdout fails: a reader that has left ends it with 0, in silence; another failure, such as a full
 * disk, with one line and 1. Failures of stderr are ignored, since nothing can be said about them.
 *
 * @param stop called at the failure
 * @returns the outputs, and a function that sets the exit code when the program has run
 */
export function guardOutput(
  name: string,
  process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'exitCode'>,
  stop: () => void,
) {
  const { stdout, stderr, env } = process;
  let failed: number | undefined;
  stderr.on('error', () => {});
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (failed !== undefined) return;
    failed = error.code === 'EPIPE' ? 0 : 1;
    process.exitCode = failed;
    if (failed !== 0) stderr.write(`${name}: stdout cannot be written (${error.message})\n`);
    stop();
  });
  const isDumb = env['TERM'] === 'dumb';
  const guarded = (stream: NodeJS.WriteStream): Output => ({
    // The event comes after what is written meanwhile.
    write: (text) => failed === undefined && !stdout.errored && stream.write(text),
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
    isDumb,
  });
  return {
    stdout: guarded(stdout),
    stderr: guarded(stderr),
    exit(code: number): void {
      process.exitCode = failed ?? code;
    },
  };
}

/** Minimum time between two updates of the line. */
const INTERVAL_MILLISECONDS = 100;

/** Creates a line on a terminal that is overwritten; on another output it prints nothing. */
export function createProgressLine(output: Output) {
  let last = Number.NEGATIVE_INFINITY;
  const writeRaw = output.writeRaw ?? output.write;
  return {
    show(text: () => string): void {
      const now = performance.now();
      if (!output.isTTY || output.isDumb || now - last < INTERVAL_MILLISECONDS) return;
      last = now;
      writeRaw(`\r\u001b[2K${text().slice(0, (output.columns ?? 80) - 1)}`);
    },
    /** Removes the line. */
    clear(): void {
      if (last > Number.NEGATIVE_INFINITY) writeRaw('\r\u001b[2K');
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

/**
 * A process whose texts cannot control a terminal, whatever they quote: their control characters are escaped, on stderr always, and on
 * stdout if it is a terminal.
 */
export function escapeControls<Own extends Pick<Process, 'stdout' | 'stderr'>>(process: Own): Own {
  const { stdout, stderr } = process;
  return { ...process, stdout: stdout.isTTY ? escaping(stdout) : stdout, stderr: escaping(stderr) };
}

function escaping(output: Output): Output {
  const decoder = new TextDecoder();
  const textOf = (written: string | Uint8Array) =>
    typeof written === 'string' ? written : decoder.decode(written, { stream: true });
  return {
    write: (written) => output.write(printable(textOf(written), { keepLines: true })),
    writeRaw: (text) => output.write(text),
    get isTTY() {
      return output.isTTY ?? false;
    },
    get columns() {
      return output.columns ?? 80;
    },
    isDumb: output.isDumb ?? false,
  };
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

/**
 * Collects garbage now. V8 does not when much has become garbage, but only when the heap has grown to a limit; what it takes until then
 * is taken beside the garbage. It takes about a millisecond for each MB that is left.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

/** How often the size of the young generation is checked while it grows. */
const CHECK_INTERVAL_MILLISECONDS = 5;

/**
 * Stops V8's young generation, where new objects are allocated, from growing. By default each of its two semi-spaces grows
 * to 64 MB. Their maximum size can be set only before a process starts; whether they may grow, at any time.
 */
export function freezeYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets the young generation grow to a number of bytes, both semi-spaces together. Call it after a program is loaded: while
 * modules load, the timer that checks the size does not run.
 */
export function growYoungGeneration(bytes: number): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const timer = setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (!space || space.space_size < bytes) return;
    freezeYoungGeneration();
    clearInterval(timer);
  }, CHECK_INTERVAL_MILLISECONDS).unref();
}
