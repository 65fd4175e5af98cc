/** Several measurements of one value. */
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

/** `12,345 (11,900–12,800)`, or `12,345` without a range; with decimals below ten. */
export function showSample({ median, least, most }: Sample): string {
  if (least === most) return showNumber(median);
  return `${showNumber(median)} (${showNumber(least)}–${showNumber(most)})`;
}

/** A number, rounded to a sensible number of digits. */
export function showNumber(value: number): string {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
}
