import { printable } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types';

/** Maximum number of faults in a message; further ones are only counted. */
const SHOWN = 50;

/** Maximum number of different messages shown about one field. */
const SHOWN_OF_FIELD = 5;

/** Maximum number of further places that a message lists. */
const SHOWN_PLACES = 10;

/**
 * What a fault is of, in the order in which faults are listed: one of a table hides or causes those of its records, and a
 * wrong id those of the references to it.
 */
const RANKS = ['table', 'identity', 'value', 'reference'] as const;

/** What a fault is of. */
export type Rank = (typeof RANKS)[number];

/** A place in a bundle as its author sees it: line, cell, row or sheet. */
export interface Origin {
  file: string;
  /** Line in the file, from 1; absent for a message about the whole file. */
  line?: number | undefined;
  /** Column in the line, from 1, in a file written by hand. */
  column?: number;
  /** Cell, row or sheet of a workbook, such as `persons!F14`; absent in other formats. */
  cell?: string;
  field?: string | undefined;
  /** The record, if the reason of a message does not name it. */
  record?: string;
}

/** A message about a bundle. */
export interface Message extends Origin {
  reason: string;
  /** Further lines or cells with the same message: the first ten, and how many there are. */
  also?: { places: string[]; count: number };
  /** Number of further messages about the same field, which are not shown. */
  alike?: number;
}

/** One mistake in a bundle. */
export interface Fault extends Message {
  /** Lines to put into the file. */
  example?: string;
}

/** Why a bundle that has changed since it was checked is refused. */
export const CHANGED = 'changed while it was being published; publish the bundle again';

/** What faults are of: a bundle, or the map and sources of an import. */
export type FaultSubject = 'bundle' | 'map' | 'import';

/** The bundle has faults. The message has a line `file:line: field: reason` for each of the first 50. */
export class BundleError extends Error {
  override name = 'BundleError';
  /** The first faults: those that hide others first, otherwise in the order in which they were found. */
  readonly faults: readonly Fault[];
  /** Total number of faults. */
  readonly count: number;
  readonly subject: FaultSubject;

  constructor(faults: readonly Fault[], count = countMessages(faults), subject: FaultSubject = 'bundle') {
    const more = count - countMessages(faults);
    const lines = faults.flatMap((fault) => [describeFault(fault), fault.example ?? []].flat());
    super([...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'));
    this.faults = faults;
    this.count = count;
    this.subject = subject;
  }
}

/** Number of messages, with those that are not listed separately. */
export function countMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, { also, alike = 0 }) => sum + 1 + (also?.count ?? 0) + alike, 0);
}

/** Maximum length of a field and of a reason in a message: either may quote the bundle. */
const LONGEST = 500;

/** Formats a message: `persons.jsonl:14: birth_date: reason`, or `archive.xlsx: persons!F14 (birth_date): reason`. */
export function describeFault({ reason, record, also, alike = 0, ...origin }: Message): string {
  const { line, cell, field } = origin;
  const named = field && (cell === undefined ? `: ${shorten(field)}` : ` (${shorten(field)})`);
  const rest = also && also.count > also.places.length ? [`${also.count - also.places.length} more`] : [];
  const more = [
    also && `also ${line === undefined ? 'at' : 'on line'} ${[...also.places, ...rest].join(', ')}`,
    alike > 0 && `and ${alike} more${field ? ` of ${field}` : ''}`,
  ].filter(Boolean);
  const notes = [record && shorten(record), more.join('; ')].filter(Boolean).map((note) => ` (${note})`);
  return printable(`${describeOrigin(origin)}${named || ''}: ${shorten(reason)}${notes.join('')}`);
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/**
 * Collects messages in groups. A message that differs from another only in its line or cell is added to that one; of many
 * about one field, the first few are shown.
 */
class MessageList<Group extends string, M extends Message> {
  /** The messages of each group that are shown, in the order in which they were found, and the number of all. */
  readonly groups = new Map<Group, { shown: M[]; count: number }>();
  /** The messages shown about each field of a table. */
  readonly #ofField = new Map<string, M[]>();
  readonly #limit: number;

  /** @param limit maximum number of messages shown of a group; further ones are only counted */
  constructor(limit: number, groups: readonly Group[] = []) {
    this.#limit = limit;
    for (const group of groups) this.#groupOf(group);
  }

  /** Number of messages. */
  get count(): number {
    return this.groups.values().reduce((sum, { count }) => sum + count, 0);
  }

  /** The messages shown, by group. */
  get shown(): M[] {
    return [...this.groups.values()].flatMap(({ shown }) => shown);
  }

  add(group: Group, message: M): void {
    const all = this.#groupOf(group);
    all.count += 1;
    const { file, line, cell = '', field = '', reason } = message;
    const place = line === undefined ? cell.replace(/^.*(?:!|, )/, '') : String(line);
    const about = [group, file, cell.slice(0, cell.length - place.length), field].join('\0');
    const ofField = this.#ofField.get(about) ?? [];
    const same = ofField.find((other) => other.reason === reason);
    const last = ofField[SHOWN_OF_FIELD - 1];
    if (same) {
      same.also ??= { places: [], count: 0 };
      same.also.count += 1;
      if (same.also.places.length < SHOWN_PLACES) same.also.places.push(place);
    } else if (last) last.alike = (last.alike ?? 0) + 1;
    else if (all.shown.length < this.#limit) {
      all.shown.push(message);
      ofField.push(message);
      this.#ofField.set(about, ofField);
    }
  }

  #groupOf(group: Group) {
    const found = this.groups.get(group) ?? { shown: [], count: 0 };
    this.groups.set(group, found);
    return found;
  }
}

/** Collects the faults of a bundle: keeps the first 50 of each rank, counts all. */
export class FaultList {
  readonly #faults = new MessageList<Rank, Fault>(SHOWN, RANKS);
  readonly #subject: FaultSubject;

  constructor(subject: FaultSubject = 'bundle') {
    this.#subject = subject;
  }

  add(fault: Fault, rank: Rank = rankOf(fault)): void {
    this.#faults.add(rank, fault);
  }

  /** The faults so far as an error. */
  error(): BundleError {
    const { shown, count } = this.#faults;
    return new BundleError(shown.slice(0, SHOWN), count, this.#subject);
  }

  /** @throws BundleError if there are any faults */
  throwIfAny(): void {
    if (this.#faults.count > 0) throw this.error();
  }
}

function rankOf({ field }: Fault): Rank {
  return field === undefined || field === 'id' || field === 'uuid' ? 'identity' : 'value';
}

/** Maps records to their origins: lines of files, or rows and cells of tables. */
export interface Origins {
  /** The file or sheet with a kind's records. */
  fileOf(kind: Kind): string;
  /**
   * The origin of a record, or of one of its fields.
   *
   * @param at its line in the file, or the row of its table
   */
  at(kind: Kind, at: number, field?: string): Origin;
}

/** A possible mistake in a bundle, which does not stop a publish. */
interface Warning extends Message {
  code: string;
}

/** Maximum number of different warnings shown per code; further ones are only counted. */
const SHOWN_OF_CODE = 5;

/** Collects the warnings of a bundle: keeps the first five different ones of each code, counts all. */
export class WarningList {
  readonly #origins: Origins;
  readonly #warnings = new MessageList<string, Warning>(SHOWN_OF_CODE);

  constructor(origins: Origins) {
    this.#origins = origins;
  }

  add(code: string, kind: Kind, at: number, field: string, reason: string): void {
    this.#warnings.add(code, { code, ...this.#origins.at(kind, at, field), reason });
  }

  /** The warnings shown: those of the code found first come first. */
  get shown(): readonly Warning[] {
    return this.#warnings.shown;
  }

  /** Number of warnings per code. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#warnings.groups].map(([code, { count }]) => [code, count]));
  }

  get count(): number {
    return this.#warnings.count;
  }

  /** Lines with the warnings shown, and how many of each code are not. */
  get lines(): string[] {
    const texts = [...this.#warnings.groups.values()].flatMap(({ shown, count }) => {
      const hidden = count - countMessages(shown);
      return [
        ...shown.map(describeFault),
        hidden > 0 ? `… and ${hidden} more such (${count} in all)` : [],
      ].flat();
    });
    return texts.map((text) => `warning: ${text}\n`);
  }
}

/** The name of the file with a kind's records. */
export function fileOf(kind: Kind): string {
  return `${COLLECTIONS[kind]}.jsonl`;
}

/** Formats an origin without its field: `persons.jsonl:14`, or `archive.xlsx: persons!F14`. */
export function describeOrigin({ file, line, column, cell }: Origin): string {
  if (cell !== undefined) return `${file}: ${cell}`;
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** The value of a JSON text, or why it has none. */
export function parseJson(text: string): { value: unknown; reason?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { value: undefined, reason: `is not JSON: ${message}` };
  }
}
