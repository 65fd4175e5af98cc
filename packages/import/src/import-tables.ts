import { checkBundle, type FaultList, type Origin } from '@archiefkast/bundle';
import { readTables } from '@archiefkast/bundle/tables';
import {
  ARCHIVE_COLUMNS,
  columnNames,
  IMAGE_COLUMNS,
  joinList,
  RECORD_COLUMNS,
  type SheetContent,
  sheetOf,
  type TableColumn,
} from '@archiefkast/formats';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { cellText, columnOfField, createFieldCheck, type FieldCheck, mayBeYears } from './field-check.ts';
import { type ImportMap, isListField, movedField } from './import-map.ts';
import { type FieldTexts, type MadeRecord, quoted, Tally } from './kind-records.ts';
import { personName } from './person-names.ts';
import type { OpenMap } from './read-map.ts';
import type { MadeRecords } from './records.ts';
import { cellOrigin } from './source.ts';

type Kinds = MadeRecords['kinds'];

/**
 * Lays out the records of an import in tables, and checks these as those of any bundle, where faults are of the cells that the
 * records were made from.
 *
 * @param onRow called for every record that is checked; an error that it throws ends the work
 * @throws BundleError with all faults
 */
export async function layOutTables(
  { kinds }: MadeRecords,
  openMap: OpenMap,
  faults: FaultList,
  onRow: () => void,
): Promise<{ tables: SheetContent[]; moved: Tally }> {
  const moved = moveInvalid(kinds, openMap, faults);
  const tables = [...KINDS.map((kind) => recordTable(kind, kinds, openMap)), archiveTable(openMap)];
  const missing = () => openMap.at(['archive']);
  const source = { tables: tables.map(({ read }) => read), missing, close() {} };
  await checkBundle(await readTables(source, faults, onRow), faults, { onRecord: onRow });
  return { tables: tables.map(({ write }) => write()), moved };
}

/** The other columns of an image, which are valid beside its address only. */
function isOfImage(field: string): boolean {
  return field in IMAGE_COLUMNS && field !== 'image_url';
}

/** A date with a time, of which the day is taken. */
const TIMED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+-]*$/;

/** Moves texts that are not valid in their field, and that the map keeps, and dates with a time, to the field with `_`. */
function moveInvalid(kinds: Kinds, openMap: OpenMap, faults: FaultList): Tally {
  const { map } = openMap;
  const moved = new Tally();
  for (const kind of KINDS) {
    const named = (map[COLLECTIONS[kind]] ?? []).flatMap((rule) => Object.keys(rule.fields));
    const checks = new Map(named.map((field) => [field, checkOf(kind, field, kinds, map)]));
    for (const record of kinds[kind].byId.values()) {
      const { fields } = record;
      // The address of an image first, as the other columns of it depend on it.
      for (const field of ['image_url', ...fields.keys()]) {
        const found = fields.get(field);
        if (!found) continue;
        const { texts: given, from, row } = found;
        const isDate = columnOfField(kind, field)?.type === 'date';
        const timed = isDate ? given.filter((text) => TIMED.test(text)) : [];
        const texts = [...given, ...timed.map((text) => text.slice(0, 'YYYY-MM-DD'.length))];
        const isImageless = isOfImage(field) && !fields.has('image_url');
        const check = from.map?.keeps ? checks.get(field) : undefined;
        const [unclear] = isDate && !from.map?.isMonth ? texts.filter(mayBeYears) : [];
        if (unclear !== undefined && !check) {
          const reason = `"${unclear}" may be a month, or two years; date: YYYY-MM reads it as a month`;
          faults.add({ ...placeOf(kind, record, field, openMap), reason });
        }
        const others = texts.filter(
          (text) => timed.includes(text) || (check && (isImageless || text === unclear || !check(text))),
        );
        const [example] = others;
        if (example === undefined) continue;
        fields.delete(field);
        addTexts(fields, field, { ...found, texts: texts.filter((text) => !others.includes(text)) });
        const to = movedField(kind, field, map);
        addTexts(fields, to, { ...found, texts: others });
        // Columns that are not in the map stay last.
        for (const [column, kept] of [...fields])
          if (!kept.from.map && fields.delete(column)) fields.set(column, kept);
        const count = new Set(others).size;
        moved.add(kind, field, count, () => `${to}, such as ${quoted(example, from.source, row)}`);
      }
    }
  }
  return moved;
}

/** The check of a field of the map. */
function checkOf(kind: Kind, field: string, kinds: Kinds, { archive }: ImportMap): FieldCheck {
  const target = columnOfField(kind, field)?.target;
  if (target) return (text) => typeof kinds[target].find(text) === 'object';
  return createFieldCheck(kind, field, archive['partial_dates'] === 'first-day' ? 'first-day' : undefined);
}

function addTexts(fields: MadeRecord['fields'], field: string, added: FieldTexts): void {
  const texts = [...(fields.get(field)?.texts ?? []), ...added.texts];
  if (texts.length > 0) fields.set(field, { ...added, texts });
}

/** Names of persons that were not taken apart. */
export function namesLeftWhole({ kinds }: MadeRecords): Tally {
  const left = new Tally();
  for (const { fields } of kinds.person.byId.values()) {
    for (const [field, { texts, from, row }] of fields) {
      const [name = ''] = texts;
      if (from.map?.isName && !personName(name))
        left.add('person', field, 1, () => quoted(name, from.source, row));
    }
  }
  return left;
}

/** The columns that tables have even if they are empty. */
const REQUIRED = /^(?:id|(?:title|name)_(?:nl|en))$/;

/**
 * A table in memory: it is read as one of a bundle, and written.
 *
 * @param placeAt the origin of a row, from 1, or of one of its fields
 */
function createTable(
  name: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  placeAt: (row: number, field?: string) => Origin,
) {
  const header = columns.map((column) => column.name);
  return {
    read: {
      name,
      title: name,
      place: (row = 0, column = -1) => placeAt(row, header[column]),
      async *rows() {
        for (const [at, cells] of [header, ...rows].entries()) yield { at, cells };
      },
    },
    write: () => sheetOf(name, columns, rows, (column) => !REQUIRED.test(column.name)),
  };
}

function recordTable(kind: Kind, kinds: Kinds, openMap: OpenMap) {
  const records = [...kinds[kind].byId.values()];
  const filled = new Set(records.flatMap(({ fields }) => [...fields.keys()]));
  const names = [
    ...columnNames(COLLECTIONS[kind]).filter((field) => REQUIRED.test(field) || filled.has(field)),
    ...[...filled].filter((field) => field.startsWith('_')),
  ];
  const columns = names.map((field): TableColumn => {
    const known = RECORD_COLUMNS[kind].find(({ name }) => name === field);
    return known ?? { name: field, type: 'text', en: '', nl: '' };
  });
  const writers = new Map(names.map((field) => [field, cellWriter(kind, field, kinds)]));
  const rows = records.map(({ id, fields }) => {
    return [...writers].map(([field, write]) =>
      field === 'id' ? String(id) : write(fields.get(field)?.texts ?? []),
    );
  });
  return createTable(COLLECTIONS[kind], columns, rows, (row, field) =>
    placeOf(kind, records[row - 1], field, openMap),
  );
}

/** The table that describes the archive, as the map does. */
function archiveTable({ map: { archive }, at }: OpenMap) {
  const row = ARCHIVE_COLUMNS.map(({ name }) => archive[name] ?? '');
  return createTable('archive', ARCHIVE_COLUMNS, [row], (_, field) =>
    at(field === undefined ? ['archive'] : ['archive', field]),
  );
}

/** The cell that a field of a record was made from, with the line of the map. */
function placeOf(
  kind: Kind,
  record: MadeRecord | undefined,
  field: string | undefined,
  openMap: OpenMap,
): Origin {
  if (!record) return { file: COLLECTIONS[kind] };
  const given = record.fields.get(field ?? '');
  if (!given) return record.source.place(record.row);
  const { source, column, map } = given.from;
  const place = cellOrigin(source, given.row, column);
  if (!map) return place;
  const { file, line } = openMap.at(map.path);
  const hasControls = given.texts.some((text) => text.includes('\v') || text.includes('\x1d'));
  const step = hasControls
    ? 'characters: { "\\v": "\\n", "\\x1D": "|" } in the source would replace them'
    : 'otherwise: keep would keep such texts beside the field';
  const advice = map.keeps ? '' : `, where ${step}`;
  return { ...place, record: `${COLLECTIONS[kind]}.${field} of ${file}:${line}${advice}` };
}

/**
 * How the texts of a field are written in its cell. They refer to records by a name that no other has, or else by id; a text
 * that refers to nothing stays.
 */
function cellWriter(kind: Kind, field: string, kinds: Kinds): (texts: readonly string[]) => string {
  const target = columnOfField(kind, field)?.target;
  const isKept = field.startsWith('_');
  // In a cell of one reference, a | in its name is escaped too.
  const isList = target !== undefined || isListField(kind, field);
  return (texts) => {
    const cells = texts.map((text) => (target ? kinds[target].labelOf(text) : cellText(kind, field, text)));
    return isList || (isKept && cells.length > 1) ? joinList(cells) : (cells[0] ?? '');
  };
}
