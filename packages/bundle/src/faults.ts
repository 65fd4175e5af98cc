import { printable } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types';

/** Maximum number of different faults in a message; further ones are only counted. */
const SHOWN = 50;

/** Maximum number of different messages shown about one field. */
const SHOWN_OF_FIELD = 5;

/** Maximum number of further places that a message lists. */
const SHOWN_PLACES = 10;

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

export interface Message extends Origin {
  reason: string;
  /** Further lines or cells with the same message: the first ten, and how many there are. */
  also?: { places: string[]; count: number };
  /** Number of further messages about the same field, which are not shown. */
  alike?: number;
}

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
  /** The first faults, in the order in which they were found. */
  readonly faults: readonly Fault[];
  /** Total number of faults. */
  readonly count: number;
  readonly subject: FaultSubject;

  /** @param hidden number of faults that the others do not mention */
  constructor(faults: readonly Fault[], count = faults.length, hidden = 0, subject: FaultSubject = 'bundle') {
    const lines = faults.flatMap((fault) => [describeFault(fault), fault.example ?? []].flat());
    super([...lines, ...(hidden > 0 ? [`… and ${hidden} more`] : [])].join('\n'));
    this.faults = faults;
    this.count = count;
    this.subject = subject;
  }
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
 * Collects messages of one sort. A message that differs from another only in its line or cell is added to that one; of many
 * about one field, the first few are shown.
 */
class MessageList<M extends Message> {
  readonly #limit: number;
  /** The messages shown about each field of a table. */
  readonly #ofField = new Map<string, M[]>();
  /** The messages shown, in the order in which they were found. */
  readonly shown: M[] = [];
  /** Number of messages. */
  count = 0;
  /** Number of those that no message shown mentions. */
  hidden = 0;

  /** @param limit maximum number of messages shown; further ones are only counted */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(message: M): void {
    this.count += 1;
    const { file, line, cell = '', field = '', reason } = message;
    const place = line === undefined ? cell.replace(/^.*(?:!|, )/, '') : String(line);
    const about = `${file}\0${cell.slice(0, cell.length - place.length)}\0${field}`;
    const ofField = this.#ofField.get(about) ?? [];
    const same = ofField.find((other) => other.reason === reason);
    const last = ofField[SHOWN_OF_FIELD - 1];
    if (same) {
      same.also ??= { places: [], count: 0 };
      same.also.count += 1;
      if (same.also.places.length < SHOWN_PLACES) same.also.places.push(place);
    } else if (last) last.alike = (last.alike ?? 0) + 1;
    else if (this.shown.length < this.#limit) {
      this.shown.push(message);
      this.#ofField.set(about, [...ofField, message]);
    } else this.hidden += 1;
  }
}

/** Collects the faults of a bundle: keeps the first 50 different ones, counts all. */
export class FaultList extends MessageList<Fault> {
  readonly #subject: FaultSubject;

  constructor(subject: FaultSubject = 'bundle') {
    super(SHOWN);
    this.#subject = subject;
  }

  error(): BundleError {
    return new BundleError(this.shown, this.count, this.hidden, this.#subject);
  }

  /** @throws BundleError if there are any faults */
  throwIfAny(): void {
    if (this.count > 0) throw this.error();
  }
}

/** Maps records to their origins: lines of files, or rows and cells of tables. */
export interface Origins {
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
  readonly #lists = new Map<string, MessageList<Warning>>();

  constructor(origins: Origins) {
    this.#origins = origins;
  }

  add(code: string, kind: Kind, at: number, field: string, reason: string): void {
    this.addAt(code, this.#origins.at(kind, at, field), reason);
  }

  /** Adds a warning of what is no record. */
  addAt(code: string, origin: Origin, reason: string): void {
    const list = this.#lists.get(code) ?? new MessageList(SHOWN_OF_CODE);
    this.#lists.set(code, list);
    list.add({ code, ...origin, reason });
  }

  /** The warnings shown: those of the code found first come first. */
  get shown(): readonly Warning[] {
    return [...this.#lists.values()].flatMap(({ shown }) => shown);
  }

  /** Number of warnings per code. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#lists].map(([code, { count }]) => [code, count]));
  }

  get count(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Lines with the warnings shown, and how many of each code are not. */
  get lines(): string[] {
    const texts = [...this.#lists.values()].flatMap(({ shown, count, hidden }) => {
      const rest = hidden > 0 ? [`… and ${hidden} more such (${count} in all)`] : [];
      return [...shown.map(describeFault), ...rest];
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
