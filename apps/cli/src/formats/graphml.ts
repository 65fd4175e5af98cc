import { escapeXml } from '@archiefkast/formats/escape';
import { type Fields, listOf, nameOfRecord, uuidOf } from '@archiefkast/formats/reading';
import { counted } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import type { Format, OpenedFile } from './format.ts';
import type { HarvestSource } from './source.ts';

const NAME = 'archive.graphml';

/** Events of more persons are left out of the edges between persons: a list of 2,000 members would make two million. */
const MOST_PERSONS = 100;

/** The data of nodes and edges, by name, with its type. */
const KEYS = {
  node: {
    ...{ kind: 'string', label: 'string', name_nl: 'string', name_en: 'string', address: 'string' },
    ...{ date_start: 'string', date_end: 'string', year_start: 'int', year_end: 'int' },
    ...{ latitude: 'double', longitude: 'double' },
  },
  edge: {
    ...{ relation: 'string', date_start: 'string', date_end: 'string', year_start: 'int', year_end: 'int' },
    weight: 'int',
  },
} as const;

type Data<Of extends keyof typeof KEYS> = Partial<Record<keyof (typeof KEYS)[Of], unknown>>;

/** The first and the last day of records of a kind, as they have them. */
const DATES: Partial<Record<Kind, readonly (readonly [first: string, last: string])[]>> = {
  person: [['birth_date', 'death_date']],
  event: [
    ['date', 'date'],
    ['date_start', 'date_end'],
  ],
};

/**
 * A graph in GraphML: a node for each record, an edge for each reference as it was recorded. With `links`, also an edge for each two
 * persons of an event: an interpretation, with the number of these events as its weight.
 */
export const graphmlFormat: Format = {
  names: () => [NAME],
  async write(source, open, { links, warn }) {
    const file = open(NAME);
    if (!file) return;
    file.write(HEADER);
    const nodes = await writeNodes(source, file);
    const missing = await writeReferences(source, file, nodes);
    if (missing > 0)
      warn(`${NAME}: ${counted(missing, 'reference')} left out, to records that were not harvested`);
    if (links) await writeLinks(source, file, nodes, warn);
    file.write('</graph>\n</graphml>\n');
  },
};

const HEADER = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
  ...Object.entries(KEYS).flatMap(([of, keys]) =>
    Object.entries(keys).map(
      ([name, type]) => `<key id="${of}_${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`,
    ),
  ),
  '<graph edgedefault="directed">',
  '',
].join('\n');

/** What edges need of the nodes that there are: by uuid, the number of the node; subjects also by their id. */
interface Nodes {
  byUuid: Map<string, number>;
  subjects: Map<unknown, string>;
}

async function writeNodes(source: HarvestSource, file: OpenedFile): Promise<Nodes> {
  const nodes: Nodes = { byUuid: new Map(), subjects: new Map() };
  for (const kind of source.kinds) {
    for await (const records of source.records(kind)) {
      for (const record of records) {
        const id = keyOf(record);
        nodes.byUuid.set(id, nodes.byUuid.size);
        if (kind === 'subject') nodes.subjects.set(record['id'], id);
        const name = kind === 'person' ? 'title' : 'name';
        const data: Data<'node'> = {
          ...{ kind, label: nameOfRecord(record), address: record['url'] },
          ...{ name_nl: record[`${name}_nl`], name_en: record[`${name}_en`] },
          ...periodOf(kind, record),
          ...{ latitude: record['latitude'], longitude: record['longitude'] },
        };
        file.write(`<node id="${id}">${dataOf('node', data)}</node>\n`);
      }
    }
  }
  return nodes;
}

/** Writes the references of records. @returns the number of those that lead to no node */
async function writeReferences(source: HarvestSource, file: OpenedFile, nodes: Nodes): Promise<number> {
  let missing = 0;
  for (const kind of source.kinds) {
    for await (const records of source.completeRecords(kind)) {
      for (const record of records) {
        const from = keyOf(record);
        const period = periodOf(kind, record);
        const dates = kind === 'event' ? period : {};
        for (const [relation, to] of referencesOf(record, nodes)) {
          if (!nodes.byUuid.has(to)) missing += 1;
          else file.write(edge(from, to, { relation, ...dates }));
        }
      }
    }
  }
  return missing;
}

/** The references of a record, by the name of the relation. */
function referencesOf(record: Fields, { subjects }: Nodes): [relation: string, uuid: string][] {
  const { persons, location, subjects: about, parent, related_locations: related } = record;
  const all = (relation: string, values: readonly unknown[]) =>
    values.map((value): [string, string] => [relation, uuidOf(value).toLowerCase()]);
  return [
    ...all('participant', listOf(persons)),
    ...all('at', location ? [location] : []),
    ...all('about', listOf(about)),
    ...all('broader', typeof parent === 'number' ? [subjects.get(parent) ?? parent] : []),
    ...all('related', listOf(related)),
  ];
}

/** Two persons of the same events. */
interface Link {
  from: string;
  to: string;
  /** The number of these events. */
  weight: number;
  /** The first and the last of theirs; none if no event has a date. */
  years: number[];
}

/** Writes an edge for each two persons of the same events. */
async function writeLinks(
  source: HarvestSource,
  file: OpenedFile,
  { byUuid }: Nodes,
  warn: (sentence: string) => void,
): Promise<void> {
  const links = new Map<number, Link>();
  let tooMany = 0;
  if (!source.kinds.includes('event') || !source.kinds.includes('person'))
    return warn(`${NAME}: no links between persons: persons and events were not both harvested`);
  for await (const events of source.records('event')) {
    for (const event of events) {
      const named = listOf(event['persons']).map((person) => uuidOf(person).toLowerCase());
      const persons = [...new Set(named)].filter((uuid) => byUuid.has(uuid)).toSorted();
      if (persons.length > MOST_PERSONS) tooMany += 1;
      else addLinks(links, persons, byUuid, periodOf('event', event));
    }
  }
  if (tooMany > 0)
    warn(
      `${NAME}: ${counted(tooMany, 'event')} of more than ${MOST_PERSONS} persons left out of their links`,
    );
  for (const { from, to, weight, years } of links.values()) {
    const [first, last] = years;
    file.write(edge(from, to, { relation: 'same event', weight, year_start: first, year_end: last }));
  }
}

function addLinks(
  links: Map<number, Link>,
  persons: readonly string[],
  byUuid: ReadonlyMap<string, number>,
  { year_start: first, year_end: last }: Period,
): void {
  for (const [place, from] of persons.entries()) {
    for (const to of persons.slice(place + 1)) {
      const key = (byUuid.get(from) ?? 0) * byUuid.size + (byUuid.get(to) ?? 0);
      const link = links.get(key) ?? { from, to, weight: 0, years: [] };
      link.weight += 1;
      const known = [...link.years, first, last].filter((year) => year !== undefined);
      if (known.length > 0) link.years = [Math.min(...known), Math.max(...known)];
      links.set(key, link);
    }
  }
}

function edge(from: string, to: string, data: Data<'edge'>): string {
  return `<edge source="${from}" target="${to}">${dataOf('edge', data)}</edge>\n`;
}

/** The elements of data that is there. */
function dataOf<Of extends keyof typeof KEYS>(of: Of, data: Data<Of>): string {
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `<data key="${of}_${name}">${escapeXml(String(value))}</data>`)
    .join('');
}

interface Period {
  date_start?: string;
  date_end?: string;
  year_start?: number;
  year_end?: number;
}

/** When a record was: its dates as they are known (EDTF), and their years, from the first to the last possible one. */
function periodOf(kind: Kind, record: Fields): Period {
  for (const [first, last] of DATES[kind] ?? []) {
    const [start, end] = [knownDate(record, first), knownDate(record, last)];
    if (start === '' && end === '') continue;
    return {
      ...(start && { date_start: start, year_start: Number(start.slice(0, 4).replaceAll('X', '0')) }),
      ...(end && { date_end: end, year_end: Number(end.slice(0, 4).replaceAll('X', '9')) }),
    };
  }
  return {};
}

function knownDate(record: Fields, field: string): string {
  return String(record[`${field}_known`] ?? record[field] ?? '');
}

function keyOf(record: Fields): string {
  return String(record['uuid']).toLowerCase();
}
