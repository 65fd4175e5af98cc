import { styleText } from 'node:util';
import { printable } from '@archiefkast/system/printable';
import type { SearchEntry } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { CommandContext } from '../commands/command-context.ts';
import { summaryOfHit } from './describe-record.ts';
import { grouped } from './numbers.ts';
import { printTable } from './print-table.ts';

/** The hits of a search, and what was asked. */
export interface PrintedHits {
  hits: readonly SearchEntry[];
  /** How many there are, of all kinds. */
  count: number;
  kinds: readonly Kind[] | undefined;
  all: boolean;
  query: string;
}

/** A uuid stands below the title, so that a table fits 80 characters. */
const COLUMNS = [
  { title: 'type' },
  { title: 'title, uuid', least: 36 },
  { title: 'date', least: 10 },
  { title: 'place', least: 8 },
];
/** Everything stands below the title, so that a table fits 60 characters. */
const NARROW_COLUMNS = [{ title: 'type' }, { title: 'title, date, place, uuid', least: 36 }];
const HEADER = ['type', 'title', 'date', 'place', 'uuid'];

/** Prints hits as a table, and how many there are to stderr. */
export async function printHits(context: CommandContext, printed: PrintedHits): Promise<void> {
  const { hits, count, kinds, all, query } = printed;
  const { stderr, stdout, environment } = context;
  if (hits.length === 0) {
    stderr.write('Nothing was found.\n');
    return;
  }
  const isColoured = stdout.isTTY === true && !environment['NO_COLOR'];
  const mark: Marker = isColoured ? createMarker(wordsOfQuery(query)) : (text) => text;
  const rows = hits.map((hit) => {
    const { title, date, place } = summaryOfHit(hit);
    return {
      type: hit.type,
      title: mark(printable(title)),
      date,
      place: mark(printable(place)),
      uuid: hit.instance.uuid,
    };
  });
  await printTable(context, {
    columns: COLUMNS,
    rows: rows.map(({ type, title, date, place, uuid }) => [type, `${title}\n${uuid}`, date, place]),
    narrow: {
      columns: NARROW_COLUMNS,
      rows: rows.map(({ type, title, date, place, uuid }) => [
        type,
        [title, [date, place].filter(Boolean).join(' · '), uuid].filter(Boolean).join('\n'),
      ]),
    },
    plain: {
      header: HEADER,
      rows: rows.map(({ type, title, date, place, uuid }) => [type, title, date, place, uuid]),
    },
  });
  const of = kinds
    ? `${grouped(hits.length)} ${kinds.map((kind) => COLLECTIONS[kind]).join(' and ')}`
    : `${grouped(hits.length)} of ${grouped(count)}`;
  const more = all || hits.length === count ? '' : ' --all shows all, --limit N more or fewer.';
  stderr.write(`${of} shown.${more}\n`);
}

/** Marks what was searched for in a text. */
export type Marker = (text: string) => string;

/** Makes a marker of some words, whatever their case and accents. */
export function createMarker(words: readonly string[]): Marker {
  const terms = words.map((word) => fold(word).text).filter((word) => word !== '');
  return (text) => {
    const { text: folded, places } = fold(text);
    const isMarked = new Array<boolean>(text.length).fill(false);
    for (const term of terms) {
      for (let at = folded.indexOf(term); at !== -1; at = folded.indexOf(term, at + term.length)) {
        isMarked.fill(true, places[at], places[at + term.length]);
      }
    }
    return runs(text, isMarked)
      .map(({ part, marked }) => (marked ? styleText('underline', part, { validateStream: false }) : part))
      .join('');
  };
}

/** The words and values of a query: what stands before a colon is the name of a field. */
export function wordsOfQuery(query: string): string[] {
  return query
    .replaceAll(/\b\w+:/g, '\n')
    .split(/[\n"]+/)
    .flatMap((value, index) => (index === 0 ? value.split(/\s+/) : [value]))
    .map((word) => word.trim());
}

/** A text without case and accents, and where each of its characters came from. */
function fold(text: string): { text: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  const known = new Map<string, string>();
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    let plain = known.get(character);
    if (plain === undefined) {
      plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      known.set(character, plain);
    }
    for (let left = plain.length; left > 0; left -= 1) places.push(at);
    folded += plain;
  }
  places.push(text.length);
  return { text: folded, places };
}

function runs(text: string, isMarked: readonly boolean[]): { part: string; marked: boolean }[] {
  const found: { part: string; marked: boolean }[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && isMarked[at] === isMarked[start]) continue;
    found.push({ part: text.slice(start, at), marked: isMarked[start] ?? false });
    start = at;
  }
  return found;
}
