import type { Envelope } from '@archiefkast/types';
import { type Language, PAGE_SIZE } from '@archiefkast/types/kinds';
import { WrongAnswerError } from './errors/request-errors.ts';
import type { Schema } from './request/assert-matches.ts';
import type { OnNotice } from './request/notice.ts';
import type { Request } from './request/request.ts';
import type { Page } from './walk/page.ts';
import { walk } from './walk/walk.ts';

/** Options of a request for a page. */
export interface ReadPageOptions {
  signal?: AbortSignal | undefined;
  /** ETag of an earlier response, for a conditional request. */
  etag?: string | undefined;
}

/** A list of results over pages: a kind's records, or the hits of a search. */
export interface Listing<Result> {
  /** Address of the first page. */
  readonly url: string;
  /** Walks the pages. Leaving the loop stops fetching. */
  pages(): AsyncGenerator<Page<Result>, void, void>;
  /** Walks the results of all pages. Leaving the loop stops fetching. */
  records(): AsyncGenerator<Result, void, void>;
  /**
   * Reads the page at an address. Its `next` is not checked.
   *
   * @returns undefined if the page with `etag` is unchanged (304)
   * @throws RequestError
   */
  readPage(url: string, options?: ReadPageOptions): Promise<Page<Result> | undefined>;
}

/** Options of `createListing`. */
export interface ListingParts<Result> {
  url: string;
  schema: Schema<Envelope<Result>>;
  /** Name of the results in messages: "persons". */
  what: string;
  language: Language;
  request: Request;
  signal: AbortSignal;
  onNotice: OnNotice;
}

/** Creates a listing. */
export function createListing<Result>(parts: ListingParts<Result>): Listing<Result> {
  const { url: start, schema, what, request, onNotice } = parts;

  async function readPage(url: string, options: ReadPageOptions = {}): Promise<Page<Result> | undefined> {
    const { signal = parts.signal, etag } = options;
    const { body, headers } = await request({ url, schema, expected: `a page of ${what}`, etag, signal });
    if (body === undefined) return undefined;
    const fault = pageFault(body, parts);
    if (fault) throw new WrongAnswerError(url, fault, JSON.stringify(body));
    const { next, count, total, results } = body;
    return {
      url,
      next,
      count,
      total,
      results,
      retrievedAt: new Date().toISOString(),
      edition: headers.get('archive-edition') ?? undefined,
      etag: headers.get('etag') ?? undefined,
    };
  }

  async function readWhole(url: string, signal: AbortSignal): Promise<Page<Result>> {
    const page = await readPage(url, { signal });
    if (!page) throw new WrongAnswerError(url, `expected a page of ${what}, not status 304`, '');
    return page;
  }

  const pages = () => walk({ readPage: readWhole, start, signal: parts.signal, onNotice });
  return {
    url: start,
    readPage,
    pages,
    async *records() {
      for await (const page of pages()) yield* page.results;
    },
  };
}

/** Why a valid page cannot be part of the list; undefined if it can. */
function pageFault(page: Envelope<unknown>, { language, what }: { language: Language; what: string }) {
  const { results } = page;
  if (page.language !== language) return `expected the language ${language}, not ${page.language}`;
  if (results.length > PAGE_SIZE) return `expected at most ${PAGE_SIZE} ${what}, not ${results.length}`;
  return undefined;
}
