import {
  type ArchiveRecord,
  apiReference,
  COLLECTIONS,
  type Envelope,
  type Event,
  envelopeSchema,
  eventSchema,
  isUuid,
  type Kind,
  type Language,
  type Location,
  listUrl,
  locationSchema,
  type Person,
  personSchema,
  type SearchEntry,
  type Subject,
  searchEntrySchema,
  searchUrl,
  subjectSchema,
} from '@archive/types';
import { type ClientOptions, fillOptions } from './client-options.ts';
import { createListing, type Listing } from './create-listing.ts';
import { OptionError } from './errors/option-error.ts';
import { WrongAnswerError } from './errors/request-errors.ts';
import type { Schema } from './request/assert-matches.ts';
import { createLimiter } from './request/limiter.ts';
import { createRequest } from './request/request.ts';

/** All records of one kind. */
export interface RecordList<Item> extends Listing<Item> {
  /**
   * Reads one record.
   *
   * @throws StatusError with status 404 when there is no such record
   */
  get(uuid: string): Promise<Item>;
}

/** The API of one archive in one language. */
export interface Client {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly language: Language;
  readonly persons: RecordList<Person>;
  readonly subjects: RecordList<Subject>;
  readonly locations: RecordList<Location>;
  readonly events: RecordList<Event>;
  /** The records of a kind. */
  records(kind: Kind): RecordList<ArchiveRecord>;
  /** The hits of a search; without a query, all records. */
  search(query?: string): Listing<SearchEntry>;
}

/**
 * Makes a client. All its requests pass through one limiter.
 *
 * @throws OptionError when an option cannot be used
 */
export function createClient(options: ClientOptions): Client {
  const filled = fillOptions(options);
  const { baseUrl, language, signal, onNotice } = filled;
  const limiter = createLimiter({
    ...filled,
    onWaited: (url, waitMs) => onNotice({ type: 'waited', url, waitMs }),
  });
  const request = createRequest({ ...filled, limiter });
  const common = { request, language, signal, onNotice };

  function recordList<Item>(kind: Kind, schema: Schema<Item>, pageSchema: Schema<Envelope<Item>>) {
    const listing = createListing<Item>({
      ...common,
      url: listUrl(baseUrl, language, kind),
      schema: pageSchema,
      what: COLLECTIONS[kind],
    });
    async function get(uuid: string): Promise<Item> {
      if (!isUuid(uuid)) throw new OptionError(`uuid: expected a UUID, not "${uuid}"`);
      const url = apiReference(baseUrl, language, kind, uuid);
      const { body } = await request({ url, schema, expected: `a ${kind}`, signal });
      if (body === undefined) throw new WrongAnswerError(url, `expected a ${kind}, not status 304`, '');
      return body;
    }
    return { ...listing, get };
  }

  const lists = {
    person: recordList<Person>('person', personSchema, envelopeSchema(personSchema)),
    subject: recordList<Subject>('subject', subjectSchema, envelopeSchema(subjectSchema)),
    location: recordList<Location>('location', locationSchema, envelopeSchema(locationSchema)),
    event: recordList<Event>('event', eventSchema, envelopeSchema(eventSchema)),
  };
  const searchPageSchema = envelopeSchema(searchEntrySchema);

  return {
    baseUrl,
    language,
    persons: lists.person,
    subjects: lists.subject,
    locations: lists.location,
    events: lists.event,
    records: (kind) => lists[kind],
    search: (query = '') =>
      createListing<SearchEntry>({
        ...common,
        url: searchUrl(baseUrl, language) + (query ? `?q=${encodeURIComponent(query)}` : ''),
        schema: searchPageSchema,
        what: 'search hits',
      }),
  };
}
