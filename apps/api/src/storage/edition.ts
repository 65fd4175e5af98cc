import type { ArchiveDescription } from '@archiefkast/bundle';
import { KINDS, type Kind, type Language } from '@archiefkast/types';
import type { Database } from './connect.ts';
import type { Provenance } from './history.ts';

/** Id, key and counts of an edition. */
export interface EditionContents {
  /** Increases with every publish. */
  id: number;
  /** UUID, unique across databases. An edition that has never been served can only be read by this key. */
  key: string;
  counts: Readonly<Record<Kind, number>>;
  /** Number of records of all kinds. */
  total: number;
}

/** Names a record within an edition: its kind, and its position in the list of that kind, from 1. */
export interface RecordKey {
  kind: Kind;
  position: number;
}

/** One published state of the whole archive. */
export interface Edition extends EditionContents {
  publishedAt: Date;
  /** When it was last switched to; undefined if never. */
  servedAt: Date | undefined;
  /** Whether it was published with `--hold`, and has never been served. */
  isHeld: boolean;
  archive: ArchiveDescription | undefined;
  /** Who published what. */
  provenance: Provenance;
  /** SHA-256 of the files of its bundle and the version of the program. */
  source: string | null;
  /** The number of the mapping to Dublin Core with which it was written. */
  mapping: number;
  /**
   * Since when no record is shown to harvesters as before, in milliseconds since 1970: when it, or one before it, was served that was
   * not made as the next of the served one, or that has other words or another mapping for all records. 0 if none was.
   */
  allChangedAt: number;
}

/** A content note, in both languages. */
export type Note = Readonly<Record<Language, string>>;

/** The content note of a subject, by its UUID; undefined if it has none of its own. */
export function noteOf(archive: Edition['archive'], subject: string): Note | undefined {
  const { nl, en } = archive?.notes ?? {};
  const [dutch, english] = [nl?.[subject], en?.[subject]];
  return dutch !== undefined && english !== undefined ? { nl: dutch, en: english } : undefined;
}

/** A row of the table `editions`. */
interface EditionRow {
  id: number;
  key: string;
  counts: string;
  published_at: string;
  served_at: string | null;
  archive: string | null;
  provenance: string;
  source: string | null;
  mapping: number;
  all_changed_at: number | string;
}

/** An edition as responses name it. */
export function nameEdition({ id, key, publishedAt }: Edition) {
  return { id, key, published_at: publishedAt.toISOString() };
}

function publishedEditions(database: Database) {
  return database('editions').where({ status: 'published' });
}

/** The published editions, newest first. */
export async function listEditions(database: Database): Promise<Edition[]> {
  return (await publishedEditions(database).orderBy('id', 'desc')).map(toEdition);
}

/** The editions that are not being deleted, among them unfinished ones. */
function existingEditions(database: Database) {
  return database('editions').where((row) => row.where({ status: 'published' }).orWhereNull('published_at'));
}

/** The keys of all editions, including unfinished ones, but not those that are being deleted. */
export async function listEditionKeys(database: Database): Promise<string[]> {
  return await existingEditions(database).pluck('key');
}

/** Whether an edition exists, unfinished or not, and is not being deleted. */
export async function hasEdition(database: Database, id: number): Promise<boolean> {
  return (await existingEditions(database).where({ id }).first('id')) !== undefined;
}

/** A published edition by its id; undefined if it does not exist. */
export async function findEdition(database: Database, id: number): Promise<Edition | undefined> {
  return (await publishedEditions(database).where({ id })).map(toEdition)[0];
}

/** Names an edition in a request: its number, or its key (a UUID in lower case). */
export type EditionSelector = number | string;

/**
 * The published edition that a request names; undefined if it does not exist. An edition that has never been served
 * can only be found by its key, because numbers can be guessed.
 */
export async function findNamedEdition(
  database: Database,
  named: EditionSelector,
): Promise<Edition | undefined> {
  const editions = publishedEditions(database);
  if (typeof named === 'number') editions.where({ id: named }).whereNotNull('served_at');
  else editions.where({ key: named });
  return (await editions).map(toEdition)[0];
}

/** The served edition, and the number of the switch that made it so. */
export interface Served {
  edition: number;
  /** Increases with every switch: the higher of two is the newer. */
  sequence: number;
}

/** Reads which edition is served; undefined if nothing has been published. */
export async function findServed(database: Database): Promise<Served | undefined> {
  return await database('served').first('edition', 'sequence');
}

/** The served edition; undefined if nothing has been published. */
export async function findServedEdition(database: Database): Promise<Edition | undefined> {
  const served = database('served').select('edition');
  return (await publishedEditions(database).whereIn('id', served)).map(toEdition)[0];
}

/** The number of records of all kinds. */
export function totalOf(counts: EditionContents['counts']): number {
  return KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

function toEdition(row: EditionRow): Edition {
  const counts: EditionContents['counts'] = JSON.parse(row.counts);
  return {
    id: row.id,
    key: row.key,
    publishedAt: new Date(row.published_at),
    servedAt: row.served_at === null ? undefined : new Date(row.served_at),
    isHeld: row.served_at === null,
    counts,
    total: totalOf(counts),
    archive: row.archive === null ? undefined : JSON.parse(row.archive),
    provenance: JSON.parse(row.provenance),
    source: row.source,
    mapping: row.mapping,
    allChangedAt: Number(row.all_changed_at),
  };
}
