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
  refuseNoText,
  refuseUnknown,
} from './parameters.ts';

/** A request for an endpoint in its one form, before an edition is chosen. */
export interface EndpointRequest extends Omit<ArchiveRequest, 'open' | 'signal'> {
  /** Canonical URL: requests for the same answer have the same. */
  url: string;
  /** The edition that it names; undefined for the one served now. */
  edition: EditionSelector | undefined;
  coding: Coding;
  /** Path of the endpoint, with `:name` for a segment. */
  route: string;
}

/** What requests are read with. */
export interface RequestReading {
  baseUrl: string;
  chooseCoding(acceptEncoding: string | undefined): Coding;
}

/**
 * Reads what a request asks for. Nothing is looked up for it.
 *
 * @param path the route's path from the root, with `:name` for a segment, or `*name` at its end
 * @throws Problem for parameters that cannot be
 */
export function readRequest(
  context: ParameterizedContext & { params: Record<string, string> },
  { parameters: known, isFile, isCompressed }: Route,
  language: Language,
  path: string,
  { baseUrl, chooseCoding }: RequestReading,
): EndpointRequest {
  refuseNoText(known, context.querystring);
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
    // A part is one of the bytes as they are: those that a client has kept of a download.
    coding:
      isCompressed || (isFile && context.get('Range'))
        ? 'identity'
        : chooseCoding(context.get('Accept-Encoding')),
  };
}

function selectorOf(edition: string): EditionSelector {
  return isEdition(edition) ? Number(edition) : edition;
}

/** A uuid is the same in either case. */
function fillPath(path: string, segment: (name: string) => string): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = segment(name);
    return encodeURIComponent((name === 'uuid' ? value.toLowerCase() : value).toWellFormed());
  });
}
