import { citationText } from '@archiefkast/formats/citation';
import { describePicture, describeRecord, readTexts } from '@archiefkast/formats/describe-record';
import {
  type ArchiveRecord,
  type Facets,
  isUuid,
  type Kind,
  PAGE_SIZE,
  type SearchEntry,
  UUID_PATTERN,
} from '@archiefkast/types';
import { nameOfRecord } from '@archiefkast/types/internal/fields';
import { cut, fence, fit, type Size, splitText, type ToolAnswer } from './answer.ts';
import { ArchiveFault, type AskedArchive } from './archive.ts';
import { describeHit, type ReadEdition, readEdition, type Scope } from './read-edition.ts';

/** The records that a record of a kind is related to, as a query. */
const RELATED: Readonly<Record<Kind, (uuid: string) => string>> = {
  person: (uuid) => `person:${uuid}`,
  subject: (uuid) => `subject:${uuid} OR parent:${uuid}`,
  location: (uuid) => `location:${uuid} OR related:${uuid}`,
  event: (uuid) => `event:${uuid}`,
};
/** Values of each facet beside hits. */
const FACET_VALUES = 5;
/** Candidates of each name, and for a search that finds nothing. */
const CANDIDATES = 5;

/** A candidate of the Reconciliation API. */
interface Candidate {
  id: string;
  name: string;
  description: string;
  score: number;
  match: boolean;
}

export interface SearchQuestion extends Scope {
  query: string;
  kind?: Kind | undefined;
  sort?: string | undefined;
  page: number;
}

/** Searches the archive. If nothing is found, names that are like the query are answered. @throws ArchiveFault with corrections */
export async function searchArchive(archive: AskedArchive, question: SearchQuestion): Promise<ToolAnswer> {
  const opened = await readEdition(archive, question);
  const { query, kind, sort, page } = question;
  // The kind comes first, because an open quote extends to the end.
  const q = [kind ? `kind:${kind}` : '', query].filter(Boolean).join(' ');
  const { count, results } = await opened.search(q, page, sort);
  const facets = opened.index && (await opened.read<Facets>('/api/facets', { q: q || undefined })).facets;
  const names = opened.index && count === 0 && query !== '' ? [query] : [];
  const [similar] = await findCandidates(opened, { names, kind, known: {} });
  const pages = Math.ceil(count / PAGE_SIZE);
  return fit((size) => ({
    query: cut(q, size),
    ...{ count, page, pages },
    hits: results.map((entry) => describeHit(opened, entry, size)),
    similar_names: similar?.candidates.map((each) => describeCandidate(each, size)),
    facets: facets && shortFacets(facets, size),
    next:
      page < pages
        ? `page ${page + 1}`
        : results.length > 0
          ? 'get_record with the address of a hit'
          : undefined,
    address: opened.sourceOf('/api/search', { q, page: String(page) }),
    edition: opened.edition,
  }));
}

function shortFacets(facets: Facets['facets'], size: Size) {
  return Object.entries(facets).map(([by, values]) => ({
    by,
    values: (values ?? [])
      .slice(0, Math.min(size.rows, FACET_VALUES))
      .map(({ label, count }) => ({ label: cut(label, size), count })),
  }));
}

export interface RecordQuestion extends Scope {
  record: string;
  part: string;
}

/** Reads a record: a part of its text with its facts, or a page of the records that it is related to. @throws ArchiveFault */
export async function getRecord(archive: AskedArchive, question: RecordQuestion): Promise<ToolAnswer> {
  const uuid = question.record.match(RegExp(UUID_PATTERN, 'g'))?.at(-1)?.toLowerCase() ?? '';
  const expected = 'a uuid or address of a hit of search_archive';
  if (!isUuid(uuid)) throw new ArchiveFault(`"${question.record}" has no uuid.`, { expected });
  const opened = await readEdition(archive, question);
  const entry = (await opened.search(`uuid:${uuid}`)).results.find((each) => each.instance.uuid === uuid);
  if (!entry) throw new ArchiveFault(`No record with uuid ${uuid}.`, { expected });
  const [word = '', number = '1'] = question.part.split(' ');
  const notes = await opened.readNotes(uuid);
  return word === 'relations'
    ? await answerRelations(opened, entry, notes, Number(number))
    : answerText(opened, entry, notes, Number(word));
}

function answerText(
  opened: ReadEdition,
  { type, instance }: SearchEntry,
  notes: readonly string[],
  part: number,
): ToolAnswer {
  const { texts, footnotes } = readTexts(instance);
  const parts = splitText([...texts, footnotes.join('\n')].filter(Boolean).join('\n\n'));
  const text = parts[part - 1];
  if (text === undefined)
    throw new ArchiveFault(`The record has no part ${part}.`, {
      expected: `a part from 1 to ${parts.length}`,
    });
  const facts = describeRecord(instance).facts.filter(([, value]) => value !== '');
  return fit((size) => ({
    ...headOf(opened, type, instance, notes, size),
    facts: Object.fromEntries(facts.map(([name, value]) => [name, cut(value, size)])),
    picture: cut(describePicture(instance), size) || undefined,
    ...{ part, parts: parts.length },
    text: text === '' ? undefined : fence(text),
    next: part < parts.length ? `part ${part + 1}` : 'part relations',
    edition: opened.edition,
  }));
}

async function answerRelations(
  opened: ReadEdition,
  entry: SearchEntry,
  notes: readonly string[],
  page: number,
): Promise<ToolAnswer> {
  const { type, instance } = entry;
  const { count, results } = await opened.search(RELATED[type](instance.uuid), page);
  const parent = 'parent' in instance && page === 1 ? instance.parent : null;
  const above = parent === null ? [] : (await opened.search(`kind:subject id:${parent}`)).results;
  const pages = Math.ceil(count / PAGE_SIZE);
  return fit((size) => ({
    ...headOf(opened, type, instance, notes, size),
    above: above.map((each) => describeHit(opened, each, size)),
    ...{ count, page, pages },
    relations: results.map((each) => describeHit(opened, each, { ...size, characters: size.characters / 2 })),
    next: page < pages ? `part relations ${page + 1}` : undefined,
    edition: opened.edition,
  }));
}

/** What identifies a record, how it is cited, and what is to be said with it. */
function headOf(
  { index, edition, addressOf, language }: ReadEdition,
  kind: Kind,
  record: ArchiveRecord,
  notes: readonly string[],
  size: Size,
) {
  const { title, publisher, licence } = index ?? {};
  const [name, address] = [cut(nameOfRecord(record), size), addressOf(record)];
  const cited = {
    ...{ title: name, address, archiveName: title ?? undefined, publisher: publisher ?? undefined },
    edition: `${language === 'nl' ? 'editie' : 'edition'} ${edition?.number}`,
    day: index?.edition.published_at.slice(0, 10) ?? '',
  };
  return {
    ...{ name, kind, uuid: record.uuid, address },
    citation: citationText(cited),
    licence: licence ? `${licence.name} ${licence.url}` : undefined,
    content_notes: notes.map((note) => cut(note, size)),
  };
}

export interface CountQuestion extends Scope {
  query: string;
  by: 'kind' | 'century' | 'decade' | 'city' | 'subject' | 'gender';
  century?: number | undefined;
}

/** Counts the records of a query by a property, each row with the query that finds these records. @throws ArchiveFault */
export async function countArchive(archive: AskedArchive, question: CountQuestion): Promise<ToolAnswer> {
  const opened = await readEdition(archive, question);
  const { query: q, by } = question;
  const of = by === 'decade' ? 'century' : by;
  const { count, facets } = await opened.read<Facets>('/api/facets', { q: q || undefined, of });
  const values = facets[of] ?? [];
  const century = question.century ?? Number(values[0]?.value ?? 0);
  const rows =
    by === 'decade'
      ? await countDecades(opened, q, century)
      : values.map(({ label, count, q: query }) => ({ label, count, query }));
  return fit((size) => {
    const shown = by === 'decade' ? rows : rows.slice(0, size.rows);
    return {
      ...{ query: cut(q, size), by, count, rows_left_out: rows.length - shown.length },
      rows: shown.map((row) => ({
        ...{ label: cut(row.label, size), count: row.count },
        query: row.query !== null && row.query.length <= size.characters * 2 ? row.query : undefined,
      })),
      next: 'search_archive with the query of a row',
      address: opened.sourceOf('/api/facets', { q, of }),
      edition: opened.edition,
    };
  });
}

/** The events of each decade of a century. */
async function countDecades({ search }: ReadEdition, q: string, century: number) {
  const decades = Array.from({ length: 10 }, (_, decade) => (century - 1) * 100 + decade * 10);
  return await Promise.all(
    decades.map(async (first) => {
      const [from = '', to = ''] = [first, first + 9].map((year) => String(year).padStart(4, '0'));
      const query = `kind:event date:${from}..${to} ${q}`.trim();
      return { label: `${from}–${to}`, count: (await search(query)).count, query };
    }),
  );
}

export interface MatchQuestion extends Scope {
  names: readonly string[];
  kind?: Kind | undefined;
  /** Values of properties of the Reconciliation API, such as `birth_date`. */
  known: Readonly<Record<string, string | undefined>>;
}

/** Finds the records that names may mean, with scores. @throws ArchiveFault */
export async function matchNames(archive: AskedArchive, question: MatchQuestion): Promise<ToolAnswer> {
  const opened = await readEdition(archive, question);
  const matched = await findCandidates(opened, question);
  return fit((size) => ({
    names: matched.map(({ name, candidates }) => ({
      name: cut(name, size),
      candidates: candidates.slice(0, size.rows).map((each) => describeCandidate(each, size)),
    })),
    next: 'get_record with the uuid of a candidate',
    addresses: `${archive.baseUrl}/id/{uuid}`,
    edition: opened.edition,
  }));
}

async function findCandidates(
  { read }: ReadEdition,
  { names, kind, known }: Omit<MatchQuestion, keyof Scope>,
) {
  if (names.length === 0) return [];
  const properties = Object.entries(known).flatMap(([pid, v]) => (v ? [{ pid, v }] : []));
  const queries = names.map((query, at) => [
    `q${at}`,
    { query, type: kind ?? [], limit: CANDIDATES, properties },
  ]);
  const body = { queries: JSON.stringify(Object.fromEntries(queries)) };
  const results = await read<Record<string, { result: Candidate[] }>>('/reconcile', body);
  return names.map((name, at) => ({ name, candidates: results[`q${at}`]?.result ?? [] }));
}

function describeCandidate(candidate: Candidate, size: Size) {
  const { id, name, description, score, match } = candidate;
  return {
    name: cut(name, size),
    about: size.characters < 100 ? undefined : cut(description, size),
    ...{ score, match },
    uuid: id,
  };
}

/** Describes the archive: what it holds and lacks, from when, and how to cite it. @throws ArchiveFault */
export async function describeArchive(archive: AskedArchive, scope: Scope): Promise<ToolAnswer> {
  const opened = await readEdition(archive, scope);
  const { index, search, read } = opened;
  const { facets } = await read<Facets>('/api/facets', { of: 'century' });
  const centuries = (facets.century ?? [])
    .map(({ value }) => Number(value))
    .toSorted((one, other) => one - other);
  const [images, coordinates, english] = await Promise.all(
    ['image', 'coordinates', 'english'].map(async (what) => (await search(`has:${what}`)).count),
  );
  return fit((size) => ({
    title: cut(index?.title ?? archive.baseUrl, size),
    description: fence(cut(index?.description ?? '', { characters: size.characters * 4 })),
    publisher: cut(index?.publisher ?? '', size) || undefined,
    licence: index?.licence ? `${index.licence.name} ${index.licence.url}` : undefined,
    holds: { ...index?.counts, centuries: [...new Set([centuries[0], centuries.at(-1)])].join(' to ') },
    has: { images, coordinates, english_texts: english },
    lacks: 'Only what its records say. What is not found may be missing here, not untrue.',
    content_note: index?.note && cut(index.note, { characters: size.characters * 4 }),
    note: 'Texts are of their time and of their authors, and may use words that hurt.',
    cite: 'Cite a record by the citation of get_record: it names edition and address.',
    address: archive.baseUrl,
    edition: opened.edition,
  }));
}
