/** Which archives may be served at which time: an edition can be visible from the start of its publish. */
export interface ServedWhen {
  /** A publish of this archive begins. */
  begins(archive: number): void;
  /** The server has switched to this archive: responses in flight may still be of the previous one. */
  turnedTo(archive: number): void;
  /** The archives that a response to a request of this time may belong to. */
  between(start: number, end: number): number[];
}

/** The delay with which the server's log arrives here. */
const SLACK = 1_000;

/** @param first the archive that is served initially */
export function createServedWhen(first: number): ServedWhen {
  const spans: { archive: number; from: number; until: number }[] = [
    { archive: first, from: 0, until: Number.POSITIVE_INFINITY },
  ];
  return {
    begins(archive) {
      spans.push({ archive, from: performance.now(), until: Number.POSITIVE_INFINITY });
    },
    turnedTo(archive) {
      const until = performance.now() + SLACK;
      const newest = spans.findLast((span) => span.archive === archive);
      for (const span of spans) if (span !== newest) span.until = Math.min(span.until, until);
    },
    between: (start, end) =>
      spans.filter(({ from, until }) => from <= end && until >= start).map(({ archive }) => archive),
  };
}
