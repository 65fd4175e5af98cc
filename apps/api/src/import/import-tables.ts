import {
  ARCHIVE_COLUMNS,
  CELL_LIMIT,
  IMAGE_COLUMNS,
  joinList,
  LongColumns,
  RECORD_COLUMNS,
  type SheetContent,
  sheetColumn,
  type TableColumn,
} from '@archiefkast/formats';
import { COLLECTIONS, isUuid, KINDS, type Kind, uuidOfReference } from '@archiefkast/types';
import { parseArchiveDescription } from '../publish/bundle/archive-description.ts';
import { FaultList } from '../publish/bundle/faults.ts';
import { nameOfPath, nestedArchive } from '../publish/bundle/tables/table-records.ts';
import type { ArchiveDescription } from '../storage/edition.ts';
import { cellText, columnOfField, createFieldCheck, type FieldCheck } from './field-check.ts';
import { fieldNames, isListField } from './import-map.ts';
import { type FieldTexts, type KindRecords, type MadeRecord, namesOfRecord } from './kind-records.ts';
import { describeRow, type MadeRecords } from './make-records.ts';
import { cellOrigin } from './open-sources.ts';
import type { OpenMap } from './read-map.ts';

/** Texts that `otherwise: keep` moved to a column that begins with `_`: number by `persons.birth_date`, with an example. */
export type Moved = Map<string, { count: number; example: string; where: string }>;

/** The tables of an import. */
export interface ImportTables {
  tables: SheetContent[];
  counts: Readonly<Record<Kind, number>>;
  moved: Moved;
}

/**
 * Checks the records of an import and lays them out in tables: references become names, or ids where a name is not
 * unambiguous.
 *
 * @param faults texts that are not valid in their field are added to it
 */
export function layOutTables(
  { kinds }: MadeRecords,
  openMap: OpenMap,
  faults: FaultList,
  onRecord: () => void,
): ImportTables {
  const archive = checkArchive(openMap, faults);
  const layout = new Layout(kinds, openMap, archive, faults);
  const tables: SheetContent[] = [];
  for (const kind of KINDS) {
    const { all } = kinds[kind];
    const rows = function* (by: Layout) {
      for (const record of all) {
        onRecord();
        yield by.row(record);
      }
    };
    // Rows are laid out once to find faults and columns, and again to be written; faults count once.
    const again = new Layout(kinds, openMap, archive, new FaultList('import'));
    tables.push(tableOf(kind, rows(layout), () => rows(again)));
  }
  tables.push(archiveTable(openMap.map.archive));
  const counts = { person: 0, subject: 0, location: 0, event: 0 };
  for (const kind of KINDS) counts[kind] = kinds[kind].all.length;
  return { tables, counts, moved: layout.moved };
}

/** The description of the archive in the map. */
function checkArchive({ map, at }: OpenMap, faults: FaultList): ArchiveDescription | undefined {
  const { uuid = '' } = map.archive;
  if (!isUuid(uuid)) {
    const reason = 'expected a UUID, from which those of the records are derived; import --draft makes one';
    faults.add({ ...at(['archive', 'uuid']), field: 'archive.uuid', reason });
    return undefined;
  }
  return parseArchiveDescription(nestedArchive(map.archive), faults, (path) =>
    at(['archive', nameOfPath(path)]),
  );
}

/** The cells of a record by column. */
type Row = ReadonlyMap<string, string>;

class Layout {
  readonly moved: Moved = new Map();
  readonly #kinds: MadeRecords['kinds'];
  readonly #openMap: OpenMap;
  readonly #archive: ArchiveDescription | undefined;
  readonly #faults: FaultList;
  readonly #checks = new Map<string, FieldCheck>();
  /** The text by which references name each record. */
  readonly #labels = new Map<MadeRecord, string>();

  constructor(
    kinds: MadeRecords['kinds'],
    openMap: OpenMap,
    archive: ArchiveDescription | undefined,
    faults: FaultList,
  ) {
    this.#kinds = kinds;
    this.#openMap = openMap;
    this.#archive = archive;
    this.#faults = faults;
  }

  /** The cells of a record. */
  row(record: MadeRecord): Row {
    const cells = new Map([['id', String(record.id)]]);
    for (const [field, given] of record.fields) {
      const column = columnOfField(record.kind, field);
      const isReference = column?.type === 'reference' || column?.type === 'references';
      const read = isReference ? this.#references(column, given) : this.#texts(record.kind, field, given);
      if (read.cell !== '') cells.set(field, joined(cells.get(field), read.cell));
      for (const { text, reason } of read.wrong) this.#refuse(record, field, given, text, reason, cells);
    }
    if (cells.has('image_url')) return cells;
    for (const field of Object.keys(IMAGE_COLUMNS)) {
      const [given, text] = [record.fields.get(field), cells.get(field)];
      if (!given || text === undefined) continue;
      cells.delete(field);
      this.#refuse(record, field, given, text, 'describes an image, but its record has no image_url', cells);
    }
    return cells;
  }

  #references({ target, type }: TableColumn, { texts }: FieldTexts): CellOfField {
    const wrong: CellOfField['wrong'] = [];
    if (!target) return { cell: '', wrong };
    const records = this.#kinds[target];
    const labels = texts.flatMap((text) => {
      const [record, second] = records.referredTo(text);
      if (record && !second) return [this.#labelOf(record, records)];
      const reason = second
        ? `"${text}" is the name of several ${COLLECTIONS[target]}; expected the id of one`
        : `refers to the ${target} "${text}", which is the id or name of none`;
      wrong.push({ text, reason });
      return [];
    });
    if (type === 'reference' && texts.length > 1) {
      wrong.push({ text: texts.join('|'), reason: `expected one ${target}, got ${texts.length}` });
      return { cell: '', wrong };
    }
    return { cell: joinList(labels), wrong };
  }

  #texts(kind: Kind, field: string, { texts }: FieldTexts): CellOfField {
    const isList = field.startsWith('_') || isListField(kind, field);
    const check = this.#checkOf(kind, field);
    const cells = texts.map((text) => cellText(kind, field, text));
    const wrong: CellOfField['wrong'] = [];
    const valid = cells.filter((cell, index) => {
      const reason = check(isList && !field.startsWith('_') ? joinList([cell]) : cell);
      if (reason !== undefined) wrong.push({ text: texts[index] ?? cell, reason });
      return reason === undefined;
    });
    const isNote = field.startsWith('_');
    return { cell: isList && (!isNote || valid.length > 1) ? joinList(valid) : (valid[0] ?? ''), wrong };
  }

  #checkOf(kind: Kind, field: string): FieldCheck {
    const key = `${kind} ${field}`;
    const check = this.#checks.get(key) ?? createFieldCheck(kind, field, this.#archive?.partial_dates);
    this.#checks.set(key, check);
    return check;
  }

  /** A text that names a record and no other, and cannot be taken for an id or a uuid; otherwise its id. */
  #labelOf(record: MadeRecord, records: KindRecords): string {
    const known = this.#labels.get(record);
    if (known !== undefined) return known;
    const isOwn = (name: string) =>
      !/^\d+$/.test(name) && uuidOfReference(name) === undefined && records.named(name).size === 1;
    const label = namesOfRecord(record).find(isOwn) ?? String(record.id);
    this.#labels.set(record, label);
    return label;
  }

  #refuse(
    record: MadeRecord,
    field: string,
    given: FieldTexts,
    text: string,
    reason: string,
    cells: Map<string, string>,
  ): void {
    const { row } = given;
    const { source, column, path = [] } = given.from;
    const { map, at } = this.#openMap;
    const [collection, index] = path;
    const rules = collection === COLLECTIONS[record.kind] ? map[COLLECTIONS[record.kind]] : undefined;
    const value = typeof index === 'number' ? rules?.[index]?.fields[field] : undefined;
    const name = `${COLLECTIONS[record.kind]}.${field}`;
    if (value?.otherwise === 'keep') {
      const moved = this.moved.get(name);
      if (moved) moved.count += 1;
      else this.moved.set(name, { count: 1, example: text, where: describeRow({ source, row }) });
      cells.set(`_${field}`, joined(cells.get(`_${field}`), text));
      return;
    }
    const { file, line } = at(path);
    const rule = path.length > 0 ? ` (${file}:${line})` : '';
    const patterns = value?.date ? `; the patterns of the map are ${value.date.join(' and ')}` : '';
    const advice = value ? '; otherwise: keep in the map would keep such texts beside the field' : '';
    this.#faults.add({
      ...cellOrigin(source, row, column),
      reason: `${name}${rule}: ${reason}${patterns}${advice}`,
    });
  }
}

/** The cell of a field, and the texts that are not valid in it. */
interface CellOfField {
  cell: string;
  wrong: { text: string; reason: string }[];
}

function joined(before: string | undefined, text: string): string {
  return before === undefined ? text : `${before}|${text}`;
}

/** The columns of a kind without records. */
const LEAST = { person: 'title', subject: 'name', location: 'name', event: 'name' } as const;

function tableOf(kind: Kind, rows: Iterable<Row>, again: () => Iterable<Row>): SheetContent {
  const lengths = new Map(['id', `${LEAST[kind]}_nl`, `${LEAST[kind]}_en`].map((field) => [field, 0]));
  for (const row of rows) {
    for (const [field, { length }] of row) lengths.set(field, Math.max(length, lengths.get(field) ?? 0));
  }
  const notes = [...lengths.keys()].filter((field) => field.startsWith('_'));
  const names = [...orderOf(kind).filter((field) => lengths.has(field)), ...notes];
  const columns = names.map((field): TableColumn => {
    const described = columnOfField(kind, field);
    const isPlain = described?.type === 'html' && described.name !== field;
    return {
      ...(described && !isPlain ? described : { type: 'text', english: '', dutch: '' }),
      name: field,
    };
  });
  const long = new LongColumns(columns);
  // A piece may be a character shorter than a cell, where it would cut one in two.
  const piecesOf = (length: number) => Math.ceil(length / (CELL_LIMIT - 1));
  long.see(
    names.map((field) => {
      const length = lengths.get(field) ?? 0;
      return length > CELL_LIMIT ? ' '.repeat(piecesOf(length) * CELL_LIMIT) : '';
    }),
  );
  const spread = async function* () {
    for (const row of again()) yield long.spread(names.map((field) => row.get(field) ?? ''));
  };
  return { name: COLLECTIONS[kind], columns: long.sheetColumns(), rows: spread() };
}

/** The columns of a kind in the order of tables, with variants of a text beside each other. */
function orderOf(kind: Kind): string[] {
  const all = new Set(['id', ...fieldNames(kind)]);
  const ofTexts = RECORD_COLUMNS[kind].flatMap(({ name }) => [name, `${name}_text`, `${name}_markdown`]);
  return [...ofTexts.filter((name) => all.has(name)), ...Object.keys(IMAGE_COLUMNS)];
}

function archiveTable(archive: Readonly<Record<string, string>>): SheetContent {
  const columns = ARCHIVE_COLUMNS.filter(
    ({ name }) => (archive[name] ?? '') !== '' || name.startsWith('title'),
  );
  return {
    name: 'archive',
    columns: columns.map((column) => sheetColumn(column.name, column)),
    rows: [columns.map(({ name }) => archive[name] ?? '')],
  };
}
