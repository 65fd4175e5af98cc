/** A stream for text and bytes. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  /** True on a terminal. */
  isTTY?: boolean;
  /** Width in characters, on a terminal. */
  columns?: number;
}

/** Minimum time between two updates of the line. */
const INTERVAL_MILLISECONDS = 100;

/** A line on a terminal that is overwritten. */
export interface ProgressLine {
  show(text: () => string): void;
  /** Removes the line. */
  clear(): void;
}

/** Creates a progress line on `output`; it prints nothing if that is not a terminal. */
export function createProgressLine(output: Output): ProgressLine {
  if (!output.isTTY) return { show() {}, clear() {} };
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = performance.now();
      if (now - last < INTERVAL_MILLISECONDS) return;
      last = now;
      output.write(`\r\u001b[2K${text().slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (last > Number.NEGATIVE_INFINITY) output.write('\r\u001b[2K');
      last = Number.NEGATIVE_INFINITY;
    },
  };
}
