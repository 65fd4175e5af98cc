import { randomUUID } from 'node:crypto';
import { ARCHIVE_COLUMNS, archiveRow, csvLine } from '@archiefkast/formats';
import type { ArchiveDescription } from '../../../storage/edition.ts';
import { ARCHIVE_FILE } from '../archive-description.ts';
import type { Fault } from '../faults.ts';
import type { TableSource } from './table-source.ts';

/**
 * The fault of an archive without a uuid that has records without one. It contains a new uuid, and a complete `archive.csv`
 * if the tables are CSV files.
 *
 * @param count number of records and files without a uuid
 */
export function missingArchiveUuid(
  source: TableSource,
  archive: ArchiveDescription | undefined,
  count: number,
): Fault {
  const uuid = randomUUID();
  const many = count === 1 ? 'that of 1 record' : `those of ${count} records`;
  const what = `the archive has no uuid, from which ${many} would be derived`;
  const table = source.tables.get('archive');
  if (source.folder === undefined) {
    const place = table?.place() ?? source.missing('archive');
    const how = table
      ? `put ${uuid} into the cell below uuid`
      : `add a sheet archive, with uuid, title_nl and title_en in row 1, and ${uuid} and the titles in row 2`;
    return { ...place, reason: `${what}; ${how}` };
  }
  if (!table && archive) {
    return { file: ARCHIVE_FILE, field: 'uuid', reason: `is missing: ${what}; add "uuid": "${uuid}"` };
  }
  if (table && archive?.title.nl === '' && archive.title.en === '') {
    return { ...table.place(), reason: `${what}; add a column uuid, with ${uuid}` };
  }
  const described = archive ?? { title: { nl: 'Mijn archief', en: 'My archive' } };
  const row = archiveRow({ ...described, uuid });
  const filled = [...row.keys()].filter((column) => row[column] !== '');
  const cells = [ARCHIVE_COLUMNS.map(({ name }) => name), row].map((line) =>
    csvLine(filled.map((column) => line[column] ?? '')),
  );
  return {
    ...source.missing('archive'),
    reason: `${what}; save these lines as archive.csv:`,
    example: cells.join('').replaceAll('\r\n', '\n').trimEnd(),
  };
}
