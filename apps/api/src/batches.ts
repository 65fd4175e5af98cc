/** Splits a list into parts of at most `size`, in order: a statement takes only so many values. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Collects what a source gives into lists of `size`, in order; the last may be shorter. */
export async function* collectBatches<Item>(
  items: AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The positions, from 1, of the records between two offsets in a list, from 0; `end` is exclusive. */
export function positionsBetween(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index + 1);
}

/** The positions of all records of a list, in batches of at most `size`. */
export function* positionBatches(count: number, size: number): Generator<number[]> {
  for (let start = 0; start < count; start += size)
    yield positionsBetween(start, Math.min(start + size, count));
}
