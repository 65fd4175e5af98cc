import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** By what a client tells whether the answer that it holds is the one that it would get. */
export interface Validators {
  /** Strong: the same tag, the same bytes. */
  etag: string;
  /** HTTP-date; undefined where there is no knowing. */
  lastModified: string | undefined;
}

/** The strong ETag of the answer that `facts` determine, in a content coding. */
export function createEtag(facts: readonly string[], coding: string): string {
  return `"${hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 27)}-${coding}"`;
}

/**
 * Whether `If-None-Match` names the tag: nobody holds a tag that was not given out, so the answer to it exists. `*`
 * names none; see `isNotModified`. Compares weakly, as RFC 9110 has it (section 13.1.2): caches weaken tags.
 */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (!ifNoneMatch.includes(etag)) return false;
  return [...ifNoneMatch.matchAll(/(?:^|[\s,])(?:W\/)?("[^"]*")(?=[\s,]|$)/g)].some(
    ([, tag]) => tag === etag,
  );
}

/**
 * Whether the client holds the answer to a request, which must be one that exists (RFC 9110, section 13.2.2).
 * `If-Modified-Since` is heeded without `If-None-Match` only, and only where it is the very date that is served: after
 * a roll-back the edition served is older than one that was served before.
 */
export function isNotModified(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.trim() === '*' || namesTag(tags, etag);
  const since = headers['if-modified-since'];
  return since !== undefined && lastModified !== undefined && Date.parse(since) === Date.parse(lastModified);
}
