import type { Span } from '../../storage/datestamps.ts';

/** The arguments of each verb, and whether each has to be there. A token stands alone, in place of all others. */
const LIST = { metadataPrefix: true, from: false, until: false, set: false, resumptionToken: false };
const VERBS = {
  Identify: {},
  ListMetadataFormats: { identifier: false },
  ListSets: { resumptionToken: false },
  GetRecord: { identifier: true, metadataPrefix: true },
  ListIdentifiers: LIST,
  ListRecords: LIST,
} as const satisfies Record<string, Readonly<Partial<Record<Argument, boolean>>>>;

type Argument = 'identifier' | 'metadataPrefix' | 'from' | 'until' | 'set' | 'resumptionToken';

/** The arguments of a request. */
export type OaiArguments = Readonly<Partial<Record<Argument, string>>>;

const NAME = "[A-Za-z0-9_.!~*'()-]+";
const DAY = '\\d{4}-\\d{2}-\\d{2}';

/** What each argument looks like. */
const FORMS: Readonly<Record<Argument, RegExp>> = {
  identifier: /^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=-]+$/i,
  metadataPrefix: RegExp(`^${NAME}$`),
  from: RegExp(`^${DAY}(T\\d{2}:\\d{2}:\\d{2}Z)?$`),
  until: RegExp(`^${DAY}(T\\d{2}:\\d{2}:\\d{2}Z)?$`),
  set: RegExp(`^${NAME}(:${NAME})*$`),
  resumptionToken: /^.+$/,
};

type ErrorCode =
  | 'badVerb'
  | 'badArgument'
  | 'badResumptionToken'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noRecordsMatch';

/** An error of OAI-PMH: its response has the status 200. */
export class OaiError extends Error {
  override name = 'OaiError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The verb and arguments of a request.
 *
 * @throws OaiError for those that are missing, unknown, repeated or malformed, and for another format than `oai_dc`
 */
export function readOaiRequest(query: URLSearchParams): { verb: keyof typeof VERBS; given: OaiArguments } {
  const names = Object.keys(VERBS) as (keyof typeof VERBS)[];
  const [asked, another] = query.getAll('verb');
  const verb = names.find((name) => name === asked);
  if (!verb || another !== undefined)
    throw new OaiError('badVerb', `Expected one verb of ${names.join(', ')}.`);
  const known: Readonly<Record<string, boolean>> = VERBS[verb];
  const given: Record<string, string> = {};
  const refuse = (message: string): never => {
    throw new OaiError('badArgument', message);
  };
  for (const [name, value] of query) {
    if (name === 'verb') continue;
    if (!(name in known))
      refuse(`${verb} has no argument of this name; expected ${Object.keys(known).join(', ') || 'none'}.`);
    if (name in given) refuse(`The argument ${name} is repeated.`);
    if (!FORMS[name as Argument].test(value)) refuse(`The argument ${name} has an invalid value.`);
    given[name] = value;
  }
  const args: OaiArguments = given;
  if (args.resumptionToken !== undefined) {
    if (Object.keys(args).length > 1) refuse('The argument resumptionToken stands alone.');
    return { verb, given: args };
  }
  const missing = Object.keys(known).find((name) => known[name] && !(name in given));
  if (missing) refuse(`The argument ${missing} is missing.`);
  const { from, until } = spanOf(args);
  if (Number.isNaN(from + until)) refuse('There is no such day or time.');
  if (args.from && args.until && args.from.length !== args.until.length)
    refuse('from and until differ in granularity.');
  if (from > until) refuse('from is later than until.');
  if (args.metadataPrefix !== undefined && args.metadataPrefix !== 'oai_dc')
    throw new OaiError('cannotDisseminateFormat', 'The only format is oai_dc.');
  return { verb, given: args };
}

/** The span of `from` and `until`, each of which may be absent; NaN for a day or time that does not exist. */
export function spanOf({ from, until }: OaiArguments): Span {
  return {
    from: from === undefined ? 0 : momentOf(from, '00:00:00'),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : momentOf(until, '23:59:59') + 999,
  };
}

function momentOf(text: string, time: string): number {
  const whole = text.includes('T') ? text : `${text}T${time}Z`;
  const moment = Date.parse(whole);
  return Number.isNaN(moment) || `${new Date(moment).toISOString().slice(0, 19)}Z` !== whole
    ? Number.NaN
    : moment;
}
