import {
  ARCHIVE_COLUMNS,
  columnNames,
  IMAGE_COLUMNS,
  joinList,
  LongColumns,
  ReferenceTexts,
  type SheetContent,
  type TableColumn,
  type TableName,
} from '@archiefkast/formats';
import { COLLECTIONS, KIND_FACTS, KINDS, type Kind } from '@archiefkast/types';
import { checkBundle } from '../publish/bundle/check-bundle.ts';
import type { FaultList, Origin } from '../publish/bundle/faults.ts';
import { openTableRecords } from '../publish/bundle/tables/table-records.ts';
import type { SourceTable } from '../publish/bundle/tables/table-source.ts';
import { cellText, columnOfField, createFieldCheck, type FieldCheck } from './field-check.ts';
import { isListField } from './import-map.ts';
import { cellOrigin } from './open-sources.ts';
import type { OpenMap } from './read-map.ts';
import { describeRow, type FieldTexts, type MadeRecord, type MadeRecords } from './records.ts';

/** Texts that `otherwise: keep` moved to a column that begins with `_`: number by `persons.birth_date`, with an example. */
export type Moved = Map<string, { count: number; example: string; where: string }>;

/** A table to be checked, and to be written. */
interface Table {
  name: TableName;
  columns: readonly TableColumn[];
  rows: readonly (readonly string[])[];
  /** The origin of a row, from 1, or of one of its cells. */
  place: SourceTable['place'];
}

/**
 * Lays out the records of an import in tables, and checks these as a bundle: its faults are of the cells that the records
 * were made from. References become names, or ids where a name is not unambiguous.
 *
 * @param onRow called for every row that is checked; an error that it throws ends the work
 * @throws BundleError with all faults
 */
export async function layOutTables(
  { kinds }: MadeRecords,
  openMap: OpenMap,
  faults: FaultList,
  onRow: () => void,
): Promise<{ tables: SheetContent[]; moved: Moved }> {
  const layout = new Layout(kinds, openMap);
  const tables = [...KINDS.map((kind) => layout.table(kind)), archiveTable(openMap)];
  const source = {
    tables: new Map(tables.map((table) => [table.name, sourceOf(table)])),
    misnamed: new Set<TableName>(),
    missing: (name: string) => ({ file: name }),
    close() {},
  };
  await checkBundle(await openTableRecords(source, faults, onRow), faults, onRow);
  return { tables: tables.map(sheetOf), moved: layout.moved };
}

/** The columns of a kind without records. */
const LEAST = { person: 'title', subject: 'name', location: 'name', event: 'name' } as const;

class Layout {
  readonly moved: Moved = new Map();
  readonly #kinds: MadeRecords['kinds'];
  readonly #openMap: OpenMap;
  readonly #checks = new Map<string, FieldCheck>();
  /** The texts by which references name records, by kind and id. */
  readonly #labels = new ReferenceTexts();

  constructor(kinds: MadeRecords['kinds'], openMap: OpenMap) {
    this.#kinds = kinds;
    this.#openMap = openMap;
    for (const kind of KINDS) {
      const names = KIND_FACTS[kind].names.flat();
      for (const { id, fields } of kinds[kind].byId.values()) {
        const texts = names.map((field) => {
          const given = fields.get(field);
          return [field, given?.texts.find((text) => !this.#isMoved(kind, field, given, text))];
        });
        this.#labels.add(kind, { ...Object.fromEntries(texts), id, uuid: id });
      }
    }
  }

  /** The table of a kind. */
  table(kind: Kind): Table {
    const records = [...this.#kinds[kind].byId.values()];
    const cells = records.map((record) => this.#cellsOf(record));
    const filled = new Set(['id', `${LEAST[kind]}_nl`, `${LEAST[kind]}_en`]);
    for (const row of cells) for (const field of row.keys()) filled.add(field);
    const names = [
      ...columnNames(COLLECTIONS[kind]).filter((field) => filled.has(field)),
      ...[...filled].filter((field) => field.startsWith('_')),
    ];
    return {
      name: COLLECTIONS[kind],
      columns: names.map((field) => {
        const described = columnOfField(kind, field);
        const isPlain = described?.type === 'html' && described.name !== field;
        return described && !isPlain ? { ...described, name: field } : textColumn(field);
      }),
      rows: cells.map((row) => names.map((field) => row.get(field) ?? '')),
      place: (at = 0, column = 0) => this.#placeOf(kind, records[at - 1], names[column] ?? ''),
    };
  }

  /** The cells of a record by column. */
  #cellsOf(record: MadeRecord): Map<string, string> {
    const { kind, fields } = record;
    const cells = new Map([['id', String(record.id)]]);
    const add = (field: string, text: string) => {
      const before = cells.get(field);
      if (text !== '') cells.set(field, before === undefined ? text : `${before}|${text}`);
    };
    const isOfImage = (field: string) => field in IMAGE_COLUMNS && field !== 'image_url';
    // Whether a record has an image is known last.
    for (const [field, given] of [...fields].toSorted(
      ([a], [b]) => Number(isOfImage(a)) - Number(isOfImage(b)),
    )) {
      const isImageless = isOfImage(field) && !cells.has('image_url');
      const isMoved = (text: string) => this.#isMoved(kind, field, given, text, isImageless);
      const moved = given.texts.filter(isMoved);
      const valid = given.texts.filter((text) => !moved.includes(text));
      add(field, this.#cell(kind, field, valid));
      for (const text of moved) {
        add(`_${field}`, text);
        this.#countMoved(`${COLLECTIONS[kind]}.${field}`, text, given);
      }
    }
    return cells;
  }

  #cell(kind: Kind, field: string, texts: readonly string[]): string {
    const target = columnOfField(kind, field)?.target;
    const cells = texts.map((text) =>
      target ? (this.#labelOf(target, text) ?? text) : cellText(kind, field, text),
    );
    const isList = field.startsWith('_') ? cells.length > 1 : target || isListField(kind, field);
    return isList ? joinList(cells) : (cells[0] ?? '');
  }

  /** The text by which tables name the record that a text refers to; undefined if it is none, or one of several. */
  #labelOf(target: Kind, text: string): string | undefined {
    const [record, second] = this.#kinds[target].referredTo(text);
    return record && !second ? this.#labels.of(target, String(record.id)) : undefined;
  }

  /** Whether a text is moved to a column with `_`: it is not valid, and the map keeps such texts. */
  #isMoved(
    kind: Kind,
    field: string,
    { from: { map } }: FieldTexts,
    text: string,
    isImageless = false,
  ): boolean {
    if (!map?.keeps) return false;
    const target = columnOfField(kind, field)?.target;
    if (target) return this.#labelOf(target, text) === undefined;
    const key = `${kind} ${field}`;
    const isPartial = this.#openMap.map.archive['partial_dates'] === 'first-day';
    const check = this.#checks.get(key) ?? createFieldCheck(kind, field, isPartial ? 'first-day' : undefined);
    this.#checks.set(key, check);
    return isImageless || check(this.#cell(kind, field, [text])) !== undefined;
  }

  #countMoved(name: string, example: string, { from: { source }, row }: FieldTexts): void {
    const moved = this.moved.get(name);
    if (moved) moved.count += 1;
    else this.moved.set(name, { count: 1, example, where: describeRow({ source, row }) });
  }

  /** The cell that a field of a record was made from, with the line of the map. */
  #placeOf(kind: Kind, record: MadeRecord | undefined, field: string): Origin {
    if (!record) return { file: COLLECTIONS[kind] };
    const given = record.fields.get(field);
    if (!given) return record.source.place(record.row);
    const { source, column, map } = given.from;
    const place = cellOrigin(source, given.row, column);
    if (!map) return place;
    const { file, line } = this.#openMap.at(map.path);
    const advice = map.keeps ? '' : ', where otherwise: keep would keep such texts beside the field';
    return { ...place, record: `${COLLECTIONS[kind]}.${field} of ${file}:${line}${advice}` };
  }
}

function textColumn(name: string): TableColumn {
  return { name, type: 'text', english: '', dutch: '' };
}

/** The table that describes the archive, as the map does. */
function archiveTable({ map: { archive }, at }: OpenMap): Table {
  return {
    name: 'archive',
    columns: ARCHIVE_COLUMNS,
    rows: [ARCHIVE_COLUMNS.map(({ name }) => archive[name] ?? '')],
    place: (_, column) => at(column === undefined ? [] : ['archive', ARCHIVE_COLUMNS[column]?.name ?? '']),
  };
}

function sourceOf({ name, columns, rows, place }: Table): SourceTable {
  const header = columns.map((column) => column.name);
  return {
    name,
    title: name,
    place,
    async *rows() {
      for (const [at, cells] of [header, ...rows].entries()) yield { at, cells };
    },
  };
}

function sheetOf({ name, columns, rows }: Table): SheetContent {
  // In the tables of records, all columns are used.
  const long = new LongColumns(columns, (column) => name === 'archive' && !column.name.startsWith('title'));
  for (const row of rows) long.see(row);
  return { name, columns: long.sheetColumns(), rows: rows.values().map((row) => long.spread(row)) };
}
