import { FILE_COLUMNS, ROLES } from '@archiefkast/formats';
import { type FileObject, isKind, KINDS } from '@archiefkast/types';
import { describeOrigin, type FaultList, type Origin } from '../faults.ts';
import { reasonOf } from '../field-schemas.ts';
import { fileObject } from '../record-schemas.ts';
import type { KnownRecords } from './known-records.ts';
import { type ReadTable, type Refuse, readRows } from './read-table.ts';

/** A file in the table of images and files. */
interface ListedFile {
  file: FileObject;
  order: number;
  cell(field: string): Origin;
}

export interface FilesOfRecord {
  image?: ListedFile;
  files: ListedFile[];
}

/** Reads the table of images and files; returns them by uuid of their record. */
export async function readFiles(
  table: ReadTable,
  records: KnownRecords,
  faults: FaultList,
): Promise<Map<string, FilesOfRecord>> {
  const owners = new Map<string, FilesOfRecord>();
  for await (const { fields, cell, refuse } of readRows(table, FILE_COLUMNS, faults)) {
    const { owner_kind: kind, owner, role, order = Number.POSITIVE_INFINITY, ...given } = fields;
    if (typeof given['id'] === 'number') given['uuid'] ??= records.newUuid(`file/${given['id']}`);
    const parsed = fileObject.safeParse(given);
    for (const issue of parsed.error?.issues ?? [])
      refuse(String(issue.path[0]), reasonOf(issue).replace('every record', 'every file'));
    const uuid = ownerOf(records, kind, owner, refuse);
    if (!ROLES.some((each) => each === role)) refuse('role', `expected image or file, got "${role ?? ''}"`);
    if (typeof order !== 'number') refuse('order', `expected a whole number, got "${order}"`);
    if (!parsed.success || uuid === undefined || typeof order !== 'number') continue;
    const all = owners.get(uuid) ?? { files: [] };
    owners.set(uuid, all);
    const listed = { file: parsed.data, order, cell };
    if (role === 'file') all.files.push(listed);
    else if (all.image)
      refuse('role', `is a second image; the first is at ${describeOrigin(all.image.cell('id'))}`);
    else all.image = listed;
  }
  for (const { files } of owners.values()) files.sort((a, b) => a.order - b.order);
  return owners;
}

function ownerOf(records: KnownRecords, kind: unknown, owner: unknown, refuse: Refuse): string | undefined {
  if (typeof kind !== 'string' || !isKind(kind)) {
    refuse('owner_kind', `expected ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)}, got "${kind ?? ''}"`);
    return undefined;
  }
  if (typeof owner !== 'string') {
    refuse('owner', `is missing: expected the ${kind} that the file belongs to`);
    return undefined;
  }
  return records.resolve(kind, owner, (reason) => refuse('owner', reason))?.uuid;
}
