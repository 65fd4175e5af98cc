import { nearestName } from '../nearest-name.ts';
import { didYouMean, inBoth } from './bilingual.ts';
import { Problem } from './problems.ts';
import type { ParameterName } from './routes/route.ts';

/** How the value of a parameter is read into its one form; empty where it says no more than its absence. */
const FORMS: Readonly<Partial<Record<ParameterName, (text: string) => string>>> = {
  edition: readEdition,
  format: readFormat,
  page: readPage,
  q: (text) => text.trim(),
};

/**
 * The parameters of a request in their one form: those that the endpoint knows, in alphabetical order. Unknown ones
 * are left out, of a repeated one the last counts, an empty one counts as absent, and so does `page=1`.
 *
 * @throws Problem for a page that is not a whole number from 1, another format than `api`, or an edition that is not
 *   a number
 */
export function readParameters(known: readonly ParameterName[], given: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams();
  for (const name of known.toSorted()) {
    const text = given.getAll(name).at(-1);
    if (!text) continue;
    const value = FORMS[name]?.(text) ?? text;
    if (value) read.set(name, value);
  }
  return read;
}

/** @throws Problem when the request has a parameter that the endpoint does not know */
export function refuseUnknown(known: readonly ParameterName[], given: URLSearchParams): void {
  const unknown = [...given.keys()].find((name) => !(known as readonly string[]).includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const { en, nl } = didYouMean(nearest);
  throw new Problem(
    'unknown-parameter',
    {
      en: `There is no parameter "${unknown}"${en}`,
      nl: `Er is geen parameter "${unknown}"${nl}`,
    },
    inBoth(known.join(', ')),
    { parameters: known, ...(nearest !== undefined && { nearest }) },
  );
}

/** Whether a request asks that what the server does not understand be refused (RFC 7240, section 4.4). */
export function isStrict(prefer: string): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(prefer);
}

/**
 * The address of an answer: its URL with its parameters as `readParameters` gives them, percent-encoded. Links, ETags
 * and the cache all name an answer by it.
 */
export function canonicalUrl(url: string, parameters: Iterable<[string, string]>): string {
  const pairs = [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return pairs.length > 0 ? `${url}?${pairs.join('&')}` : url;
}

/** The page that a request is for: its `page`, or the first. */
export function pageOf(parameters: URLSearchParams): number {
  return Number(parameters.get('page') ?? 1);
}

function readPage(text: string): string {
  const page = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (page < 1) throw invalidPage();
  return page === 1 ? '' : String(page);
}

/** A page that there is not; `last` is the last that there is, where that is known. */
export function invalidPage(last?: number): Problem {
  const expected =
    last === undefined
      ? { en: 'a whole number from 1', nl: 'een geheel getal vanaf 1' }
      : { en: `a whole number from 1 to ${last}`, nl: `een geheel getal van 1 tot en met ${last}` };
  return new Problem('invalid-page', { en: 'Invalid page.', nl: 'Ongeldige pagina.' }, expected);
}

function readFormat(text: string): string {
  if (text === 'api') return text;
  throw new Problem(
    'invalid-format',
    { en: `There is no format "${text}".`, nl: `Er is geen formaat "${text}".` },
    { en: 'format=api, or no format', nl: 'format=api, of geen format' },
  );
}

function readEdition(text: string): string {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw new Problem(
    'invalid-edition',
    { en: `"${text}" is no edition.`, nl: `"${text}" is geen editie.` },
    {
      en: 'the number of an edition, as the header Archive-Edition gives it',
      nl: 'het nummer van een editie, zoals de header Archive-Edition het geeft',
    },
  );
}
