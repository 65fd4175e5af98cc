import type { OpenEdition } from '../archive/editions-in-use.ts';
import { COMMON_HEADERS, originHeaders } from './common-headers.ts';
import { createEtag } from './conditions.ts';
import type { Coding } from './content-coding.ts';
import { linkHeader } from './link-header.ts';
import type { Asked } from './read-request.ts';
import type { Expected, Headers } from './representation.ts';
import type { Answer } from './routes/route.ts';
import { createContentSecurityPolicy } from './security-headers.ts';

/** An answer that names its edition never changes; it is not kept for ever, for the program may. */
const PINNED_CACHE_CONTROL = 'public, max-age=86400, immutable';

/** The headers of successful answers. */
export interface AnswerHeaders {
  /** What is known of an answer before anything is looked up; `version` and its URL determine its bytes. */
  expect(
    asked: Asked,
    open: OpenEdition | undefined,
    version: string,
    publishedAt: Date | undefined,
  ): Expected;
  /** The headers that come with the body. */
  ofBody(answer: Answer, coding: Coding): Headers;
}

/**
 * @param cacheControl what caches are told of answers that name no edition
 * @param software the version of the program: another one may render answers otherwise
 */
export function createAnswerHeaders(baseUrl: string, cacheControl: string, software: string): AnswerHeaders {
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  return {
    expect({ language, url, edition, coding }, open, version, publishedAt) {
      const etag = createEtag([version, software, url], coding);
      const lastModified = publishedAt?.toUTCString();
      const headers = {
        ...COMMON_HEADERS,
        ...originHeaders(language, open),
        ETag: etag,
        ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
        'Cache-Control': edition === undefined ? cacheControl : PINNED_CACHE_CONTROL,
      };
      return { etag, lastModified, coding, headers };
    },
    ofBody: ({ contentType, links = {} }, coding) => ({
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      'Content-Security-Policy': contentSecurityPolicy(contentType),
      Link: linkHeader(links, baseUrl),
    }),
  };
}
