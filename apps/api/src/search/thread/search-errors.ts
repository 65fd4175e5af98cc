/** A query took longer than it may, and was stopped. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';

  /** @param milliseconds what it was given */
  constructor(milliseconds: number) {
    super(`search: the query took more than ${milliseconds} ms and was stopped`);
  }
}

/** So many wait for the index that a query cannot be answered in its time. */
export class SearchBusy extends Error {
  override readonly name = 'SearchBusy';

  /** @param waiting how many wait already */
  constructor(waiting: number) {
    super(`search: the query was not begun in its time; ${waiting} others wait`);
  }
}

/** There is no index to ask at this moment: it is being opened or built, or its thread cannot be started. */
export class SearchUnavailable extends Error {
  override readonly name = 'SearchUnavailable';

  constructor(cause: unknown) {
    super('search: the index is not open', { cause });
  }
}

/** An index that was open cannot be read any more: it has to be built again. */
export class SearchIndexDamaged extends Error {
  override readonly name = 'SearchIndexDamaged';

  constructor(cause: unknown) {
    super('search: the index is damaged', { cause });
  }
}
