import type { FilledOptions } from './client-options.ts';
import type { Request } from './request/request.ts';

/** Options and requests, shared by the parts of a client. */
export interface ClientParts extends FilledOptions {
  request: Request;
}

/** The address of an endpoint, with the client's edition and the parameters that have a value. */
export function addressOf(
  { baseUrl, language, edition }: Pick<ClientParts, 'baseUrl' | 'language' | 'edition'>,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries({ edition, ...parameters }).filter(
    ([, value]) => value !== undefined && String(value) !== '',
  );
  const query = given
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .toSorted()
    .join('&');
  const url = `${baseUrl}/${language}/api${path === '' ? '' : `/${path}`}`;
  return query === '' ? url : `${url}?${query}`;
}
