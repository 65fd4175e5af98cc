import { OAI_DC } from '@archiefkast/formats/oai';
import { z } from 'zod';
import type { Span } from '../../storage/datestamps.ts';

const NAME = "[A-Za-z0-9_.!~*'()-]+";
const identifier = z.string().regex(/^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=-]+$/i);
const metadataPrefix = z.string().regex(RegExp(`^${NAME}$`));
const moment = z
  .union(
    [z.iso.date(), z.iso.datetime({ precision: 0 })],
    'expected a day, or a time such as 2026-01-31T12:00:00Z',
  )
  .optional();

const listSchema = z
  .strictObject({
    metadataPrefix,
    from: moment,
    until: moment,
    set: z
      .string()
      .regex(RegExp(`^${NAME}(:${NAME})*$`))
      .optional(),
  })
  .refine(
    ({ from, until }) => !from || from.length === (until ?? from).length,
    'from and until differ in granularity',
  )
  .refine((given) => spanOf(given).from <= spanOf(given).until, 'from is later than until');

const VERBS = {
  Identify: z.strictObject({}),
  ListMetadataFormats: z.strictObject({ identifier: identifier.optional() }),
  ListSets: z.strictObject({}),
  GetRecord: z.strictObject({ identifier, metadataPrefix }),
  ListIdentifiers: listSchema,
  ListRecords: listSchema,
};

/** A token stands alone, in place of the arguments of these verbs. */
const CONTINUED = ['ListSets', 'ListIdentifiers', 'ListRecords'];
const tokenSchema = z.strictObject({ resumptionToken: z.string().min(1) });

export type OaiArguments = {
  readonly [Name in 'identifier' | 'metadataPrefix' | 'from' | 'until' | 'set' | 'resumptionToken']?:
    | string
    | undefined;
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
  const { verb: named, ...others } = Object.fromEntries(query);
  const verb = names.find((name) => name === named);
  if (!verb || query.getAll('verb').length > 1)
    throw new OaiError('badVerb', `Expected one verb of ${names.join(', ')}.`);
  if (query.size > 1 + Object.keys(others).length)
    throw new OaiError('badArgument', 'An argument is repeated.');
  const isContinued = 'resumptionToken' in others && CONTINUED.includes(verb);
  const { data, error } = (isContinued ? tokenSchema : VERBS[verb]).safeParse(others);
  if (error) {
    const [{ path, message } = { path: [], message: '' }] = error.issues;
    throw new OaiError('badArgument', `${[verb, ...path].join(' ')}: ${message}.`);
  }
  const given: OaiArguments = data;
  if ((given.metadataPrefix ?? OAI_DC.metadataPrefix) !== OAI_DC.metadataPrefix)
    throw new OaiError('cannotDisseminateFormat', `The only format is ${OAI_DC.metadataPrefix}.`);
  return { verb, given };
}

const DAY_MILLISECONDS = 86_400_000;

/** The span of `from` and `until`, both inclusive, each of which may be absent. */
export function spanOf({ from, until }: OaiArguments): Span {
  const length = (until ?? '').includes('T') ? 1_000 : DAY_MILLISECONDS;
  return {
    from: from === undefined ? 0 : Date.parse(from),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until) + length - 1,
  };
}
