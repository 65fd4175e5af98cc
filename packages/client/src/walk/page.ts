/** One page of a list or of search, as received. */
export interface Page<Result> {
  /** The requested address. */
  url: string;
  /** The address of the next page; null on the last. */
  next: string | null;
  /** Records that match, over all pages. */
  count: number;
  /** Records of all kinds in the archive. */
  total: number;
  results: Result[];
  /** Time of the response: ISO 8601, UTC. */
  retrievedAt: string;
  /** The edition of the archive; null if the server does not name it. */
  edition: string | null;
  /** The ETag of the response, if it has one. */
  etag: string | null;
}

/** The page number in an address; 1 without `page`, undefined if it is not a number. */
export function pageNumber(url: string | URL): number | undefined {
  const { searchParams } = typeof url === 'string' ? new URL(url) : url;
  const page = searchParams.get('page') || '1';
  return /^\d+$/.test(page) ? Number(page) : undefined;
}

/** Changes the page number of an address. */
export function withPage(url: string, number: number): string {
  const other = new URL(url);
  other.searchParams.set('page', String(number));
  return other.href;
}
