import {
  deriveUuid,
  IMAGE_COLUMNS,
  IMAGE_FIELD,
  idOfUuid,
  RECORD_COLUMNS,
  type RowTexts,
  readFields,
} from '@archiefkast/formats';
import { isUuid, type Kind } from '@archiefkast/types';
import { isMediaPath } from '../../../media-path.ts';
import type { FaultList } from '../faults.ts';
import { describeOrigin } from '../origins.ts';
import { type BundleFile, fileObject } from '../record-schemas.ts';
import type { KnownRecords } from './known-records.ts';
import type { ReadTable } from './read-table.ts';
import { type FilesOfRecord, uuidAdvice } from './stage-files.ts';

/** What rows of records refer to. */
export interface StageContext {
  records: KnownRecords;
  /** Images and files by the uuid of their record. */
  owners: ReadonlyMap<string, FilesOfRecord>;
  files: ReadTable | undefined;
  faults: FaultList;
}

/** Makes of a row of a kind's table what a line of its JSON has. */
export function createRowStager(kind: Kind, table: ReadTable, context: StageContext) {
  const { records, owners, faults } = context;
  const columns = RECORD_COLUMNS[kind];
  const references = columns.filter(({ type }) => type === 'reference' || type === 'references');
  const images = Object.keys(IMAGE_COLUMNS).filter((name) => table.columnOf(name) !== undefined);

  return (at: number, row: RowTexts): Record<string, unknown> => {
    const { fields, faults: wrong } = readFields(row, columns);
    const refuse = (field: string, reason: string, column = table.columnOf(field)) =>
      faults.add({ ...table.place(at, column), field, reason });
    for (const { column, field, reason } of wrong) refuse(field, reason, column);

    const known = fields['uuid'] === undefined ? records.uuidOf(kind, fields['id'], at) : undefined;
    if (known) fields['uuid'] = known.uuid;
    if (known?.isFresh) refuse('uuid', uuidAdvice(known.uuid));
    for (const { name, target = kind, type } of references) {
      if (fields[name] === undefined) continue;
      const found = [fields[name]].flat().flatMap((reference) => {
        const resolved = records.resolve(target, String(reference));
        if ('uuid' in resolved) return [name === 'parent' ? resolved.id : resolved.uuid];
        if (!records.isUnread(target)) refuse(name, resolved.fault);
        return [];
      });
      fields[name] = type === 'references' ? found : found[0];
    }

    const uuid = String(fields['uuid'] ?? '').toLowerCase();
    const own = owners.get(uuid);
    const image = images.length > 0 ? imageOf(row, uuid, refuse) : undefined;
    if (image && own?.image) {
      const other = context.files ? describeOrigin(context.files.place(own.image.at)) : '';
      refuse('image_url', `is an image of this ${kind}, and so is the one at ${other}; expected one`);
    }
    if (image ?? own?.image) fields[IMAGE_FIELD[kind]] = image ?? own?.image?.file;
    if (own && own.files.length > 0) fields['files'] = own.files.map(({ file }) => file);
    return fields;
  };
}

/** The image that stands in the row of its record; its uuid is derived from that of the record. */
function imageOf(
  { texts }: RowTexts,
  owner: string,
  refuse: (field: string, reason: string) => void,
): BundleFile | undefined {
  const given = Object.entries(IMAGE_COLUMNS).flatMap(([column, field]) => {
    const text = texts.get(column)?.text.trim() ?? '';
    return text === '' ? [] : [[field, text] as const];
  });
  if (given.length === 0 || !isUuid(owner)) return undefined;
  const uuid = deriveUuid(owner, 'image');
  const { url, ...others } = Object.fromEntries(given);
  if (url === undefined) {
    refuse('image_url', 'is missing, where the row says more of an image: expected its address');
    return undefined;
  }
  const place = isMediaPath(url) ? { path: url } : { url };
  const parsed = fileObject.safeParse({ id: idOfUuid(uuid), uuid, filetype: 'image', ...place, ...others });
  for (const { path, message } of parsed.error?.issues ?? []) {
    refuse(columnOfField(String(path[0])), message);
  }
  return parsed.data;
}

function columnOfField(field: string): string {
  return Object.keys(IMAGE_COLUMNS).find((column) => IMAGE_COLUMNS[column] === field) ?? field;
}
