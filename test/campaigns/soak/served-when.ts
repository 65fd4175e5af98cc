/** Which archive may be served at which time: an edition may be seen from the moment its publish begins. */
export interface ServedWhen {
  /** A publish of this archive begins. */
  begins(archive: number): void;
  /** The server has turned to this archive: the one before may be seen in answers that were under way. */
  turnedTo(archive: number): void;
  /** The archives that an answer to a request of this time may be of. */
  between(start: number, end: number): number[];
}

/** What the server says of itself arrives here a little later. */
const SLACK = 1_000;

/** @param first the archive that is served already */
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
