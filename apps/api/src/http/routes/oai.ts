import { identityOf } from '@archiefkast/formats/linked-data';
import {
  OAI_DC,
  type OaiItem,
  oaiHeader,
  oaiMoment,
  oaiRecord,
  writeOaiResponse,
  type XmlContent,
} from '@archiefkast/formats/oai';
import { COLLECTIONS, isUuid, KIND_NAMES, KINDS, kindOfCollection } from '@archiefkast/types';
import { z } from 'zod';
import type { OpenEdition } from '../../edition/follow-editions.ts';
import type { GraphReader } from '../../edition/graphs.ts';
import { ALWAYS, type DatedScope, type Moments, type Span } from '../../storage/datestamps.ts';
import { MissingTextError } from '../../storage/texts.ts';
import {
  type ArchiveRequest,
  fixedAnswer,
  plainRoute,
  type Route,
  type RouteDependencies,
} from '../route.ts';
import { findRecord } from './lists.ts';

/** Records of a response; a list of more continues by tokens. */
const PART_RECORDS = 200;

/** What an answer is made of: the served edition, and the times of its records. */
interface Context {
  open: OpenEdition;
  moments: Moments;
}

/** A record as listed: with its position, unless it is gone. */
type Listed = OaiItem & { position?: number };

/** What a part of a list of records continues from, as its token says. */
const natural = z.int().min(0);
const placeSchema = z.object({
  /** The key of the edition. */
  edition: z.uuid(),
  kinds: z.array(z.enum(KINDS)).readonly(),
  scope: z.object({ own: natural, least: natural, from: natural, until: natural }),
  /** The place in `KINDS` of the kind that is being listed; beyond it, those that are gone. */
  phase: z.int().min(0).max(KINDS.length),
  /** The last record before this part: its position, or its uuid if it is gone. */
  after: z.union([natural, z.uuid()]),
  /** Number of records before this part, and of the whole list, which the first part does not know yet. */
  cursor: natural,
  size: natural.optional(),
});

type Place = z.infer<typeof placeSchema>;

/** How far a list has come with a record. */
type Reached = Pick<Place, 'phase' | 'after'>;

interface Part extends Omit<Place, 'edition' | 'scope'> {
  open: OpenEdition;
  scope: DatedScope;
}

/** The archive for harvesters (OAI-PMH 2.0): every record in Dublin Core, by kind and time of change, and those that are gone. */
export function oaiRoute(dependencies: RouteDependencies, readGraphs: GraphReader): Route {
  const { baseUrl, datestamps, findOpen } = dependencies;
  const repository = `${baseUrl}/oai`;

  /** The record with this identifier. @throws OaiError */
  async function find({ open, moments }: Context, identifier: string): Promise<Listed> {
    const start = identityOf(baseUrl, '');
    const uuid = identifier.startsWith(start) ? identifier.slice(start.length) : '';
    const key = await findRecord(dependencies, { open }, uuid);
    if (key) {
      const scope = { ...moments, ...ALWAYS, edition: open.edition.id };
      const [found] = await datestamps.list(scope, key.kind, key.position - 1, 1);
      if (found) return { ...found, ...key, identifier, datestamp: found.at, isDeleted: false };
    }
    const gone = isUuid(uuid) ? await datestamps.findGone(uuid.toLowerCase()) : undefined;
    if (gone) return { identifier, datestamp: gone.since, kind: gone.kind, isDeleted: true };
    throw new OaiError('idDoesNotExist', `There is no record ${identifier}.`);
  }

  /** Records as elements: header and metadata. */
  async function describe(open: OpenEdition, items: readonly Listed[]): Promise<XmlContent[]> {
    const keys = items.flatMap(({ kind, position }) => (position === undefined ? [] : { kind, position }));
    const graphs = await readGraphs(open, keys);
    const { publisher, licence } = open.edition.archive ?? {};
    return items.map((item) => {
      const graph = item.isDeleted ? undefined : graphs.shift();
      return graph
        ? oaiRecord(item, graph, { publisher, licence: licence?.url })
        : { header: oaiHeader(item) };
    });
  }

  /** The part of a list with which a token begins. @throws OaiError if it is invalid, or its edition is not kept */
  async function readToken(text: string): Promise<Part> {
    const invalid = new OaiError(
      'badResumptionToken',
      'The token is invalid, or its edition is no longer kept.',
    );
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(text, 'base64url').toString());
    } catch {
      throw invalid;
    }
    const { data } = placeSchema.safeParse(value);
    const open = data && (await findOpen(data.edition));
    if (!open || open.edition.isHeld) throw invalid;
    return { ...data, open, scope: { ...data.scope, edition: open.edition.id } };
  }

  function writeToken({ open, ...place }: Part): string {
    return Buffer.from(JSON.stringify({ ...place, edition: open.edition.key })).toString('base64url');
  }

  /** The records of a part, and one more if there are more. */
  async function readPart({ kinds, scope, phase, after }: Part): Promise<(Listed & Reached)[]> {
    const found: (Listed & Reached)[] = [];
    for (let at = phase; at <= KINDS.length && found.length <= PART_RECORDS; at += 1) {
      const start = at === phase ? after : '';
      const limit = PART_RECORDS + 1 - found.length;
      const kind = KINDS[at];
      if (kind && !kinds.includes(kind)) continue;
      const rows: (Pick<Listed, 'kind' | 'position'> & { uuid: string; at: number })[] = kind
        ? (await datestamps.list(scope, kind, Number(start), limit)).map((row) => ({ ...row, kind }))
        : await datestamps.listGone(scope, kinds, String(start), limit);
      for (const { uuid, at: datestamp, ...row } of rows) {
        const identifier = identityOf(baseUrl, uuid);
        const after = row.position ?? uuid;
        found.push({ ...row, identifier, datestamp, isDeleted: !kind, phase: at, after });
      }
    }
    return found;
  }

  /** A list from the beginning, or from where a token continues. */
  async function list(
    { resumptionToken, ...given }: OaiArguments,
    { open, moments }: Context,
    write: (open: OpenEdition, items: readonly Listed[]) => Promise<Readonly<Record<string, XmlContent>>>,
  ): Promise<XmlContent> {
    const kind = kindOfCollection(given.set ?? '');
    const scope = { edition: open.edition.id, ...moments, ...spanOf(given) };
    const kinds = kind ? [kind] : given.set === undefined ? KINDS : [];
    const part: Part =
      resumptionToken === undefined
        ? { open, scope, kinds, phase: 0, after: 0, cursor: 0 }
        : await readToken(resumptionToken);
    const found = await readPart(part);
    const items = found.slice(0, PART_RECORDS);
    const last = items.at(-1);
    if (!last) throw new OaiError('noRecordsMatch', 'No record matches from, until and set.');
    const written = await write(part.open, items);
    const hasMore = found.length > items.length;
    if (part.cursor === 0 && !hasMore) return written;
    const size = part.size ?? (await datestamps.count(part.scope, part.kinds));
    const { phase, after } = last;
    const token = hasMore
      ? writeToken({ ...part, phase, after, size, cursor: part.cursor + items.length })
      : '';
    const progress = { '@completeListSize': String(size), '@cursor': String(part.cursor), '#': token };
    return { ...written, resumptionToken: progress };
  }

  const answers = {
    async Identify(_given: OaiArguments, { open, moments }: Context): Promise<XmlContent> {
      const { archive } = open.edition;
      return {
        repositoryName: archive?.title.en ?? 'Archive',
        baseURL: repository,
        protocolVersion: '2.0',
        adminEmail: archive?.email ?? postmasterOf(baseUrl),
        earliestDatestamp: oaiMoment(await datestamps.earliest(open.edition, moments)),
        deletedRecord: 'transient',
        granularity: 'YYYY-MM-DDThh:mm:ssZ',
        compression: ['gzip', 'br', 'zstd'],
      };
    },
    async ListMetadataFormats({ identifier }: OaiArguments, context: Context): Promise<XmlContent> {
      if (identifier !== undefined) await find(context, identifier);
      return { metadataFormat: OAI_DC };
    },
    async ListSets({ resumptionToken }: OaiArguments): Promise<XmlContent> {
      if (resumptionToken !== undefined) await readToken('');
      return {
        set: KINDS.map((kind) => ({ setSpec: COLLECTIONS[kind], setName: KIND_NAMES.en[kind].many })),
      };
    },
    async GetRecord({ identifier = '' }: OaiArguments, context: Context): Promise<XmlContent> {
      return { record: await describe(context.open, [await find(context, identifier)]) };
    },
    ListIdentifiers: (given: OaiArguments, context: Context) =>
      list(given, context, async (_open, items) => ({ header: items.map(oaiHeader) })),
    ListRecords: (given: OaiArguments, context: Context) =>
      list(given, context, async (open, items) => ({ record: await describe(open, items) })),
  };

  async function respond({ open, query }: ArchiveRequest): Promise<string> {
    const { asOf, ...moments } = await datestamps.read(open.edition);
    let request = Object.fromEntries(query);
    let content: XmlContent;
    try {
      const { verb, given } = readOaiRequest(query);
      content = { [verb]: await answers[verb](given, { open, moments }) };
    } catch (error) {
      const isOfToken = error instanceof MissingTextError && query.has('resumptionToken');
      if (!isOfToken && !(error instanceof OaiError)) throw error;
      const code = error instanceof OaiError ? error.code : 'badResumptionToken';
      if (code === 'badVerb' || code === 'badArgument') request = {};
      content = { error: { '@code': code, '#': error.message } };
    }
    return writeOaiResponse({ at: new Date(asOf), repository, request, content });
  }

  return {
    ...plainRoute('/oai', 'OAI-PMH', 'text/xml; charset=utf-8', async (request) =>
      fixedAnswer(await respond(request)),
    ),
    ...{ atRoot: true, takesForms: true, dependsOn: 'state' },
  };
}

/** The mailbox that every domain has (RFC 2142), for an archive without a contact. */
function postmasterOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return `postmaster@${hostname.includes('.') ? hostname : `${hostname}.invalid`}`;
}

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

type OaiArguments = {
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
class OaiError extends Error {
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
function readOaiRequest(query: URLSearchParams): { verb: keyof typeof VERBS; given: OaiArguments } {
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
function spanOf({ from, until }: OaiArguments): Span {
  const length = (until ?? '').includes('T') ? 1_000 : DAY_MILLISECONDS;
  return {
    from: from === undefined ? 0 : Date.parse(from),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until) + length - 1,
  };
}
