/** One page of a list or of search, as it was answered. */
export interface Page<Result> {
  /** The address that was asked for. */
  url: string;
  /** The address of the next page; null on the last. */
  next: string | null;
  /** Records that match, over all pages. */
  count: number;
  /** Records of all kinds in the archive. */
  total: number;
  results: Result[];
  /** When the answer had come: ISO 8601, UTC. */
  retrievedAt: string;
  /** The edition of the archive, if the server names it. */
  edition: string | undefined;
  /** The ETag of the answer, if the server gives one. */
  etag: string | undefined;
}

/** The number of the page that `url` asks for: its `page` parameter, 1 without; undefined when not a number. */
export function pageNumber(url: string | URL): number | undefined {
  const { searchParams } = typeof url === 'string' ? new URL(url) : url;
  const page = searchParams.get('page') || '1';
  return /^\d+$/.test(page) ? Number(page) : undefined;
}

/** The address of another page of the same list: `url` with only `page` changed. */
export function withPage(url: string, number: number): string {
  const other = new URL(url);
  other.searchParams.set('page', String(number));
  return other.href;
}
