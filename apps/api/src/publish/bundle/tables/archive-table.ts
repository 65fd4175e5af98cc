import { ARCHIVE_COLUMNS, readFields } from '@archiefkast/formats';
import type { ArchiveDescription } from '../../../storage/edition.ts';
import { parseArchiveDescription } from '../archive-description.ts';
import type { FaultList } from '../faults.ts';
import { isRead, readTable } from './read-table.ts';
import type { SourceTable } from './table-source.ts';

/** Reads the table of one row that describes the archive. Adds what is wrong with it to `faults`. */
export async function readArchiveTable(
  source: SourceTable,
  faults: FaultList,
): Promise<ArchiveDescription | undefined> {
  const table = await readTable(source, faults);
  if (!table) return undefined;
  let archive: ArchiveDescription | undefined;
  let rows = 0;
  await isRead(table, faults, async () => {
    for await (const { at, row } of table.rows()) {
      rows += 1;
      if (rows > 1) {
        faults.add({ ...table.place(at), reason: 'is a second row; the archive is described in one' });
        return;
      }
      const { fields, faults: wrong } = readFields(row, ARCHIVE_COLUMNS);
      for (const { column, field, reason } of wrong)
        faults.add({ ...table.place(at, column), field, reason });
      archive = parseArchiveDescription(nested(fields), faults, (path) => {
        const field = nameOfPath(path);
        return { ...table.place(at, table.columnOf(field)), field };
      });
    }
  });
  return archive;
}

/** The fields of the row as `archive.json` has them. */
function nested(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const archive: Record<string, unknown> = {};
  for (const { name, path } of ARCHIVE_COLUMNS) {
    const value = fields[name];
    const [first, second] = path;
    if (value === undefined) continue;
    archive[first] = second === undefined ? value : { ...Object(archive[first]), [second]: value };
  }
  return archive;
}

function nameOfPath([first, second]: readonly PropertyKey[]): string {
  const found = ARCHIVE_COLUMNS.find(
    ({ path }) => path[0] === first && (second === undefined || path[1] === second),
  );
  return found?.name ?? String(first);
}
