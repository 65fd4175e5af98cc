import type { Language } from '@archiefkast/types';
import type { ParameterizedContext } from 'koa';
import type { EditionSelector } from '../../storage/edition.ts';
import type { ArchiveRequest, Route } from '../contract/route.ts';
import type { Coding } from './accept.ts';
import {
  canonicalUrl,
  isEdition,
  isStrict,
  readParameters,
  refuseInvalidUtf8,
  refuseUnknown,
} from './parameters.ts';

/** A normalized request for an endpoint, before an edition is selected. */
export interface EndpointRequest extends Omit<ArchiveRequest, 'open' | 'signal'> {
  /** Canonical URL: equal for requests with the same response. */
  url: string;
  /** The requested edition; undefined for the served one. */
  edition: EditionSelector | undefined;
  coding: Coding;
  /** Path pattern of the endpoint, with `:name` for a segment. */
  route: string;
}

/** Settings for reading requests. */
export interface RequestReading {
  baseUrl: string;
  chooseCoding(acceptEncoding: string | undefined): Coding;
}

/**
 * Parses a request, without any lookup.
 *
 * @param path the route's path from the root, with `:name` for a segment, or `*name` at its end
 * @throws Problem for invalid parameters
 */
export function readRequest(
  context: ParameterizedContext & { params: Record<string, string> },
  { parameters: known, isFile, isCompressed }: Route,
  language: Language,
  path: string,
  { baseUrl, chooseCoding }: RequestReading,
): EndpointRequest {
  refuseInvalidUtf8(known, context.querystring);
  const given = new URLSearchParams(context.querystring);
  if (isStrict(context.get('Prefer'))) refuseUnknown(known, given);
  const parameters = readParameters(known, given);
  const [fixed = '', wildcard] = path.split('*');
  const rest = wildcard === undefined ? '' : context.path.slice(fixed.length);
  const segment = (name: string) => (name === wildcard ? rest : (context.params[name] ?? ''));
  const edition = parameters.get('edition');
  return {
    route: path,
    language,
    parameters,
    segment,
    url: canonicalUrl(baseUrl + fillPath(fixed, segment) + rest, parameters),
    edition: edition === null ? undefined : selectorOf(edition),
    // A range is part of the uncompressed bytes, so that a client can resume a download.
    coding:
      isCompressed || (isFile && context.get('Range'))
        ? 'identity'
        : chooseCoding(context.get('Accept-Encoding')),
  };
}

function selectorOf(edition: string): EditionSelector {
  return isEdition(edition) ? Number(edition) : edition;
}

/** Fills in the segments; UUIDs are case-insensitive. */
function fillPath(path: string, segment: (name: string) => string): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = segment(name);
    return encodeURIComponent((name === 'uuid' ? value.toLowerCase() : value).toWellFormed());
  });
}
