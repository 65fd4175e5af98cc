import { printable } from '@archiefkast/system/printable';
import type { SearchEntry } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { CommandContext } from '../commands/command-context.ts';
import { summaryOfHit } from './describe-record.ts';
import { createMarker, type Marker, wordsOfQuery } from './mark-matches.ts';
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
