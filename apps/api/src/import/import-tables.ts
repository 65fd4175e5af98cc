import { checkBundle, type FaultList, type Origin } from '@archiefkast/bundle';
import { describeArchive, identifyRecords, type ReadTable, recordsOf } from '@archiefkast/bundle/tables';
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
import { cellText, columnOfField, createFieldCheck, type FieldCheck } from './field-check.ts';
import { type ImportMap, isListField } from './import-map.ts';
import { type FieldTexts, type MadeRecord, nameFields } from './kind-records.ts';
import { cellOrigin } from './open-sources.ts';
import { personName } from './person-names.ts';
import type { OpenMap } from './read-map.ts';
import { type MadeRecords, movedField } from './records.ts';
import { quoted, Tally } from './tally.ts';

type Kinds = MadeRecords['kinds'];

/**
 * Checks the records of an import as a bundle, where faults are of the cells that the records were made from; and lays them
 * out in tables.
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
  const moved = moveInvalid(kinds, openMap);
  const texts = Object.entries(openMap.map.archive).filter(([, text]) => text !== '');
  const at = (column: string) => openMap.at(['archive', column]);
  const archive = describeArchive(Object.fromEntries(texts), at, faults);
  nameReferences(kinds);
  const tables = new Map(KINDS.map((kind) => [kind, tableOf(kind, kinds, openMap)]));
  const known = await identifyRecords(tables, openMap.map.archive['uuid'], faults, onRow);
  const source = { missing: (file: string) => ({ file }), close() {} };
  await checkBundle(recordsOf({ archive, tables, known, owners: new Map() }, source), faults, onRow);
  return { tables: [...KINDS.map((kind) => recordSheet(kind, kinds)), archiveSheet(openMap)], moved };
}

/** Refers to records as tables do: by a name that no other has, or else by id. A text that refers to nothing stays. */
function nameReferences(kinds: Kinds): void {
  for (const kind of KINDS) {
    for (const { fields } of kinds[kind].byId.values()) {
      for (const [field, given] of fields) {
        const target = columnOfField(kind, field)?.target;
        if (target) given.texts = given.texts.map((text) => kinds[target].labelOf(text));
      }
    }
  }
}

/** The other columns of an image, which are valid beside its address only. */
function isOfImage(field: string): boolean {
  return field in IMAGE_COLUMNS && field !== 'image_url';
}

/** A date with a time, of which the day is taken. */
const TIMED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+-]*$/;

/** Moves texts that are not valid in their field, and that the map keeps, and dates with a time, to the field with `_`. */
function moveInvalid(kinds: Kinds, { map }: OpenMap): Tally {
  const moved = new Tally();
  for (const kind of KINDS) {
    const checks = createChecks(kind, kinds, map);
    for (const record of kinds[kind].byId.values()) {
      const given = [...record.fields].toSorted(([a], [b]) => Number(isOfImage(a)) - Number(isOfImage(b)));
      const fields: MadeRecord['fields'] = new Map();
      // Most records stay as they are: copies of all would take half as much memory again.
      let isMoved = false;
      for (const [field, found] of given) {
        const { texts: all, from, row } = found;
        const isKept = from.map?.keeps === true;
        const isImageless = isOfImage(field) && !fields.has('image_url');
        const timed =
          columnOfField(kind, field)?.type === 'date' ? all.filter((text) => TIMED.test(text)) : [];
        const texts = [...all, ...timed.map((text) => text.slice(0, 'YYYY-MM-DD'.length))];
        const isValid = (text: string) =>
          !timed.includes(text) && !(isKept && (isImageless || !checks(field)(text)));
        const others = texts.filter((text) => !isValid(text));
        const [example] = others;
        if (example === undefined) {
          addTexts(fields, field, found);
          continue;
        }
        isMoved = true;
        addTexts(fields, field, { ...found, texts: texts.filter((text) => !others.includes(text)) });
        const to = movedField(kind, field, map);
        addTexts(fields, to, { ...found, texts: others });
        const count = new Set(others).size;
        moved.add(kind, field, count, () => `${to}, such as ${quoted(example, from.source, row)}`);
      }
      if (isMoved) record.fields = fields;
    }
  }
  return moved;
}

/** The checks of the fields of a kind, each made once. */
function createChecks(kind: Kind, kinds: Kinds, { archive }: ImportMap): (field: string) => FieldCheck {
  const partialDates = archive['partial_dates'] === 'first-day' ? 'first-day' : undefined;
  const checks = new Map<string, FieldCheck>();
  return (field) => {
    const target = columnOfField(kind, field)?.target;
    const check =
      checks.get(field) ??
      (target
        ? (text) => typeof kinds[target].find(text) === 'object'
        : createFieldCheck(kind, field, partialDates));
    checks.set(field, check);
    return check;
  };
}

/** Adds texts to a field. */
function addTexts(fields: MadeRecord['fields'], field: string, added: FieldTexts): void {
  const earlier = fields.get(field);
  if (added.texts.length > 0)
    fields.set(field, earlier ? { ...added, texts: [...earlier.texts, ...added.texts] } : added);
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

/** The fields of which any of the records has a text. */
function filledFields(records: readonly MadeRecord[]): Set<string> {
  return new Set(records.flatMap(({ fields }) => [...fields.keys()]));
}

/** The records of a kind as a table of a bundle. */
function tableOf(kind: Kind, kinds: Kinds, openMap: OpenMap): ReadTable {
  const records = [...kinds[kind].byId.values()];
  const filled = filledFields(records);
  const place = (at: number | undefined, field: string) =>
    placeOf(kind, records[(at ?? 0) - 1], field, openMap);
  return {
    title: COLLECTIONS[kind],
    has: (name) => filled.has(name),
    place: (at) => place(at, ''),
    cell: (at, field) => ({ field, ...place(at, field) }),
    async *rows() {
      for (const [index, { id, fields }] of records.entries()) {
        const texts = new Map([['id', String(id)]]);
        for (const [field, given] of fields) texts.set(field, cellOf(kind, field, given));
        yield { at: index + 1, row: { texts, faults: [] } };
      }
    },
  };
}

/** The cell that a field of a record was made from, with the line of the map. */
function placeOf(kind: Kind, record: MadeRecord | undefined, field: string, openMap: OpenMap): Origin {
  if (!record) return { file: COLLECTIONS[kind] };
  const given = record.fields.get(field);
  if (!given) return record.source.place(record.row);
  const { source, column, map } = given.from;
  const place = cellOrigin(source, given.row, column);
  if (!map) return place;
  const { file, line } = openMap.at(map.path);
  const isControlled = given.texts.some((text) => text.includes('\v') || text.includes('\x1d'));
  const replaced = isControlled
    ? ', where characters: { "\\v": "\\n", "\\x1D": "|" } in the source would replace them'
    : '';
  const advice = map.keeps
    ? ''
    : replaced || ', where otherwise: keep would keep such texts beside the field';
  return { ...place, record: `${COLLECTIONS[kind]}.${field} of ${file}:${line}${advice}` };
}

/** The cell of a field. */
function cellOf(kind: Kind, field: string, { texts }: Pick<FieldTexts, 'texts'>): string {
  const cells = texts.map((text) => cellText(kind, field, text));
  const isList = field.startsWith('_') ? cells.length > 1 : isListField(kind, field);
  // In a cell of one reference, a | in its name is escaped too.
  return isList || columnOfField(kind, field)?.target ? joinList(cells) : (cells[0] ?? '');
}

/** The table of a kind, as it is written. */
function recordSheet(kind: Kind, kinds: Kinds): SheetContent {
  const records = [...kinds[kind].byId.values()];
  const filled = filledFields(records);
  for (const field of ['id', ...nameFields(kind)]) filled.add(field);
  const names = [
    ...columnNames(COLLECTIONS[kind]).filter((field) => filled.has(field)),
    ...[...filled].filter((field) => field.startsWith('_')),
  ];
  const columns = names.map((field): TableColumn => {
    const known = RECORD_COLUMNS[kind].find(({ name }) => name === field);
    return known ?? { name: field, type: 'text', en: '', nl: '' };
  });
  const rows = records.map(({ id, fields }) =>
    columns.map(({ name }) =>
      name === 'id' ? String(id) : cellOf(kind, name, fields.get(name) ?? { texts: [] }),
    ),
  );
  return sheetOf(COLLECTIONS[kind], columns, rows);
}

/** The table that describes the archive, as the map does. */
function archiveSheet({ map: { archive } }: OpenMap): SheetContent {
  const row = ARCHIVE_COLUMNS.map(({ name }) => archive[name] ?? '');
  return sheetOf('archive', ARCHIVE_COLUMNS, [row], (column) => !column.name.startsWith('title'));
}
