/** The median and the range of several measurements of one value. */
export interface Sample {
  median: number;
  least: number;
  most: number;
}

/** The median and the range of measurements. @throws RangeError if there are none */
export function summarise(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const [least] = sorted;
  const most = sorted.at(-1);
  if (median === undefined || least === undefined || most === undefined) {
    throw new RangeError('summarise: there are no measurements');
  }
  return { median, least, most };
}

/**
 * The 95 % confidence interval of the median of what the values are a sample of: that of the sign test, which assumes no distribution and
 * ignores how far a disturbed round is off. Undefined for fewer than six values, which are too few.
 */
export function intervalOfMedian(values: readonly number[]): Pick<Sample, 'least' | 'most'> | undefined {
  const count = values.length;
  // The probability that the median is below the (rank + 1)-th value is the sum of the binomial terms up to rank.
  let rank = -1;
  for (let term = 2 ** -count, sum = term; sum <= 0.025; sum += term) {
    rank += 1;
    term *= (count - rank) / (rank + 1);
  }
  const sorted = values.toSorted((a, b) => a - b);
  const [least, most] = [sorted[rank], sorted[count - 1 - rank]];
  return least === undefined || most === undefined ? undefined : { least, most };
}

/** `12,345 (11,900–12,800)`, or `12,345` without a range. */
export function showSample({ median, least, most }: Sample): string {
  const [shown, from, to] = [median, least, most].map(showNumber);
  return from === to ? `${shown}` : `${shown} (${from}–${to})`;
}

/** A number in at least two significant digits. */
export function showNumber(value: number): string {
  if (value >= 10) return Math.round(value).toLocaleString('en');
  return value >= 1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);
}
