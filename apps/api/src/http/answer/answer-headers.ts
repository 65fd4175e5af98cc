import type { Config } from '../../config.ts';
import type { OpenEdition } from '../../read/follow-editions.ts';
import type { EndpointRequest } from '../request/read-request.ts';
import type { Answer } from '../routes/route.ts';
import { COMMON_HEADERS, originHeaders, PREVIEW_HEADERS } from './common-headers.ts';
import { createEtag } from './conditions.ts';
import type { Coding } from './content-coding.ts';
import { linkHeader } from './link-header.ts';
import type { Headers, Metadata } from './representation.ts';
import { createContentSecurityPolicy } from './security-headers.ts';

/** The settings that headers follow. */
export type AnswerHeadersConfig = Pick<Config, 'baseUrl' | 'cacheControl' | 'pinnedCacheControl'>;

/** The headers of successful answers. */
export interface AnswerHeaders {
  /** What is known of a representation before it is made; `version` and its URL determine its bytes. */
  describe(
    request: EndpointRequest,
    open: OpenEdition | undefined,
    version: string,
    publishedAt: Date | undefined,
    isImmutable: boolean,
  ): Metadata;
  /** The headers that come with the body. */
  ofBody(answer: Answer, coding: Coding): Headers;
}

/**
 * @param config what links begin with, and what caches are told: of answers to requests that name an edition, too, which
 *   never change but by the program
 * @param software the version of the program: another one may render answers otherwise
 */
export function createAnswerHeaders(
  { baseUrl, cacheControl, pinnedCacheControl }: AnswerHeadersConfig,
  software: string,
): AnswerHeaders {
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  return {
    describe({ language, url, coding }, open, version, publishedAt, isImmutable) {
      const etag = createEtag([version, software, url], coding);
      const lastModified = publishedAt?.toUTCString();
      const headers = {
        ...COMMON_HEADERS,
        ...originHeaders(language, open),
        ETag: etag,
        ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
        'Cache-Control': isImmutable ? pinnedCacheControl : cacheControl,
        ...(open?.edition.isHeld && PREVIEW_HEADERS),
      };
      return { etag, lastModified, coding, headers };
    },
    ofBody: ({ contentType, links = {} }, coding) => ({
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      'Content-Security-Policy': contentSecurityPolicy(contentType),
      // A browser that shows PDF does so outside of the sandbox that its policy asks for, or not at all.
      ...(contentType === 'application/pdf' && { 'Content-Disposition': 'attachment' }),
      Link: linkHeader(links, baseUrl),
    }),
  };
}
