import { identityOf } from '@archiefkast/formats/linked-data';
import {
  OAI_DC,
  type OaiItem,
  oaiArchive,
  oaiHeader,
  oaiMoment,
  oaiRecord,
  writeOaiResponse,
  type XmlContent,
} from '@archiefkast/formats/oai';
import {
  COLLECTIONS,
  isUuid,
  KIND_NAMES,
  KINDS,
  type Kind,
  kindOfCollection,
  UUID_PATTERN,
} from '@archiefkast/types';
import { z } from 'zod';
import { namingOf } from '../../edition/identity.ts';
import type { OpenEdition } from '../../edition/open-editions.ts';
import { findRecord } from '../../http/find-record.ts';
import { type ArchiveRequest, fixedAnswer, plainRoute, type Route } from '../../http/route.ts';
import { ALWAYS, type DatedScope, type Moments, type Span, secondAfter } from '../../storage/datestamps.ts';
import { MissingTextError } from '../../storage/texts.ts';
import type { Protocol, ProtocolTools } from '../protocol.ts';

/** Records of a response; a list of more continues by tokens. */
const PART_RECORDS = 200;

/** What an answer is made of: the served edition, or that of a token, and the times of its records. */
interface Context {
  open: OpenEdition;
  moments: Moments;
  /** The part of a list with which a token begins. */
  continued?: Part | undefined;
}

/** A record as listed: with its position, unless it is gone. */
type Listed = OaiItem & { position?: number };

/** What a token calls the records that are gone, and the lists that follow each other. */
const GONE = 'gone';
const LISTS: readonly string[] = [...KINDS, GONE];

/** How far a list has come with a record. */
interface Reached {
  /** The place of its list in `LISTS`. */
  phase: number;
  /** Its position, or its uuid if it is gone. */
  after: number | string;
}

/** What a part of a list of records continues from: the last record before it, and what its token says besides. */
interface Part extends Reached {
  open: OpenEdition;
  /** The arguments of the whole list. */
  given: OaiArguments;
  /** Number of records before this part, and of the whole list, which the first part does not know yet. */
  cursor: number;
  size?: number;
}

/** A token: the key of the edition, the arguments of the list, the last record before this part, and both numbers. */
const TOKEN = RegExp(
  [
    `^(?<edition>${UUID_PATTERN})`,
    `(?<set>${Object.values(COLLECTIONS).join('|')}|)`,
    '(?<from>[\\dTZ:-]{0,20})',
    '(?<until>[\\dTZ:-]{0,20})',
    `(?:(?<kind>${KINDS.join('|')})\\.(?<position>\\d{1,9})|${GONE}\\.(?<uuid>${UUID_PATTERN}))`,
    '(?<cursor>\\d{1,9})',
    '(?<size>[1-9]\\d{0,8})$',
  ].join('\\.'),
);

/** Limit of a form, in bytes: no valid request is longer than its identifier and a few arguments. */
const MOST_FORM_BYTES = 4_096;

/** The archive for harvesters (OAI-PMH 2.0): every record in Dublin Core, by kind and time of change, and those that are gone. */
export const OAI_PMH: Protocol = {
  distributions: [
    {
      path: 'oai?verb=Identify',
      encodingFormat: 'text/xml',
      protocol: 'http://www.openarchives.org/OAI/openarchivesprotocol.html',
      words: { nl: 'OAI-PMH, voor aggregatoren', en: 'OAI-PMH, for aggregators' },
    },
  ],
  createRoutes: (tools) => ({ others: [oaiRoute(tools)] }),
};

function oaiRoute(tools: ProtocolTools): Route {
  const { baseUrl, datestamps, findOpen, readGraphs } = tools;
  const repository = `${baseUrl}/oai`;
  /** The identifier of a record of an edition, or the start of all. */
  const identify = ({ edition }: OpenEdition, uuid = '') =>
    identityOf(namingOf(edition.archive, tools).identity, uuid);

  /** The record with this identifier. @throws OaiError */
  async function find({ open, moments }: Context, identifier: string): Promise<Listed> {
    const start = identify(open);
    const uuid = identifier.startsWith(start) ? identifier.slice(start.length) : '';
    const key = await findRecord(tools, { open }, uuid);
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
    const archive = oaiArchive(open.edition.archive);
    return items.map((item) => {
      const graph = item.isDeleted ? undefined : graphs.shift();
      return graph ? oaiRecord(item, graph, archive) : { header: oaiHeader(item) };
    });
  }

  /** The part of a list with which a token begins. @throws OaiError if it is invalid, or its edition is not kept */
  async function readToken(text: string): Promise<Part> {
    const invalid = new OaiError(
      'badResumptionToken',
      'The token is invalid, or its edition is no longer kept.',
    );
    const { edition, kind, position, uuid, cursor, size, ...named } = TOKEN.exec(text)?.groups ?? {};
    const some = Object.entries(named).filter(([, value]) => value !== '');
    const { data: given } = listSchema.safeParse({
      metadataPrefix: OAI_DC.metadataPrefix,
      ...Object.fromEntries(some),
    });
    const open = given && edition !== undefined ? await findOpen(edition) : undefined;
    if (!given || !open || open.edition.isHeld) throw invalid;
    const reached = { phase: LISTS.indexOf(kind ?? GONE), after: uuid ?? Number(position) };
    return { open, given, ...reached, cursor: Number(cursor), size: Number(size) };
  }

  function writeToken({ open, given, phase, after, cursor, size }: Part): string {
    const { set, from, until } = given;
    return [open.edition.key, set, from, until, LISTS[phase], after, cursor, size].join('.');
  }

  /** The records of a part, and one more if there are more. */
  async function readPart(
    { phase, after, open }: Reached & Pick<Part, 'open'>,
    scope: DatedScope,
    kinds: readonly Kind[],
  ): Promise<(Listed & Reached)[]> {
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
        const identifier = identify(open, uuid);
        const after = row.position ?? uuid;
        found.push({ ...row, identifier, datestamp, isDeleted: !kind, phase: at, after });
      }
    }
    return found;
  }

  /** A list from the beginning, or from where a token continues. */
  async function list(
    given: OaiArguments,
    { open, moments, continued }: Context,
    write: (items: readonly Listed[]) => Promise<Readonly<Record<string, XmlContent>>>,
  ): Promise<XmlContent> {
    const part = continued ?? { open, given, phase: 0, after: 0, cursor: 0 };
    const scope = { ...moments, ...spanOf(part.given), edition: open.edition.id };
    const { set } = part.given;
    const kind = kindOfCollection(set ?? '');
    const kinds = kind ? [kind] : set === undefined ? KINDS : [];
    const found = await readPart(part, scope, kinds);
    const items = found.slice(0, PART_RECORDS);
    const last = items.at(-1);
    if (!last)
      throw new OaiError(
        continued ? 'badResumptionToken' : 'noRecordsMatch',
        'No record matches from, until and set.',
      );
    const written = await write(items);
    const hasMore = found.length > items.length;
    if (!continued && !hasMore) return written;
    const size = part.size ?? (await datestamps.count(scope, kinds));
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
        repositoryName: archive?.title?.en ?? 'Archive',
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
    async ListSets(_given: OaiArguments, { continued }: Context): Promise<XmlContent> {
      if (continued) throw new OaiError('badResumptionToken', 'The list of sets has one part.');
      return {
        set: KINDS.map((kind) => ({ setSpec: COLLECTIONS[kind], setName: KIND_NAMES.en[kind].many })),
      };
    },
    async GetRecord({ identifier = '' }: OaiArguments, context: Context): Promise<XmlContent> {
      return { record: await describe(context.open, [await find(context, identifier)]) };
    },
    ListIdentifiers: (given: OaiArguments, context: Context) =>
      list(given, context, async (items) => ({ header: items.map(oaiHeader) })),
    ListRecords: (given: OaiArguments, context: Context) =>
      list(given, context, async (items) => ({ record: await describe(context.open, items) })),
  };

  /**
   * The response has every change before the second after its edition was served: a harvester that comes back with this as `from` gets
   * all that changes later.
   */
  async function respond({ open: served, query }: ArchiveRequest): Promise<string> {
    let request = Object.fromEntries(query);
    let context: Context = { open: served, moments: await datestamps.read(served.edition) };
    let content: XmlContent;
    try {
      const { verb, given } = readOaiRequest(query);
      if (given.resumptionToken !== undefined) {
        const continued = await readToken(given.resumptionToken);
        const { open } = continued;
        context = { open, moments: await datestamps.read(open.edition), continued };
      }
      content = { [verb]: await answers[verb](given, context) };
    } catch (error) {
      const isOfToken = error instanceof MissingTextError && query.has('resumptionToken');
      if (!isOfToken && !(error instanceof OaiError)) throw error;
      const code = error instanceof OaiError ? error.code : 'badResumptionToken';
      if (code === 'badVerb' || code === 'badArgument') request = {};
      content = { error: { '@code': code, '#': error.message } };
    }
    const at = new Date(secondAfter(context.moments.own));
    return writeOaiResponse({ at, repository, request, content });
  }

  return {
    ...plainRoute('/oai', 'OAI-PMH', 'text/xml; charset=utf-8', async (request) =>
      fixedAnswer(await respond(request)),
    ),
    ...{ atRoot: true, takesForms: true, mostFormBytes: MOST_FORM_BYTES, dependsOn: 'state' },
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
