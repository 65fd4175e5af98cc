/** Splits a list into parts of at most `size`, in order: a statement takes only so many values. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
