import { isWebAddress, KIND_FACTS } from '@archiefkast/types';
import type { Kind } from '@archiefkast/types/kinds';
import { markdownOfHtml } from '../html/markdown-of-html.ts';
import { uuidOf } from '../reading.ts';
import { joinList } from './cells.ts';
import { deriveUuid, idOfUuid } from './read-tables.ts';
import { fileRows, type RecordSource, recordRow, type TabledRecord, type TableForm } from './record-rows.ts';
import { ReferenceTexts } from './reference-names.ts';
import { FILE_COLUMNS, IMAGE_TEXT_COLUMNS, RECORD_COLUMNS, type TableColumn } from './table-columns.ts';

/** The columns of each HTML text: as HTML, and as Markdown. */
function columnsOf(kind: Kind): TableColumn[] {
  const columns = RECORD_COLUMNS[kind].flatMap((column) =>
    column.type === 'html' ? [column, { ...column, name: `${column.name}_markdown` }] : [column],
  );
  return [...columns, ...IMAGE_TEXT_COLUMNS];
}

const OWNER = FILE_COLUMNS.findIndex(({ name }) => name === 'owner');
const ROLE = FILE_COLUMNS.findIndex(({ name }) => name === 'role');

/** The form of tables that people go on editing. Reads the names of all records. */
export async function editingForm(source: RecordSource): Promise<TableForm> {
  const references = new ReferenceTexts();
  for (const kind of source.kinds) {
    for await (const record of source.records(kind)) references.add(kind, record);
  }
  const htmlColumns = source.kinds.flatMap((kind) => columnsOf(kind).filter(({ type }) => type === 'html'));

  const cellsOf = (kind: Kind, record: TabledRecord, column: TableColumn, exact: string): string[] => {
    const { name, type, target = kind } = column;
    if (type === 'html') {
      const markdown = markdownOfHtml(exact);
      return markdown === undefined ? [exact, ''] : ['', markdown];
    }
    if (exact === '' || (type !== 'reference' && type !== 'references')) return [exact];
    return [joinList([record[name]].flat().map((value) => references.of(target, uuidOf(value))))];
  };
  return {
    columns: columnsOf,
    optional: new Set(['published', 'pictures', ...htmlColumns.map(({ name }) => name)]),
    row(kind, record) {
      const exact = recordRow(kind, record);
      const cells = RECORD_COLUMNS[kind].flatMap((column, place) =>
        cellsOf(kind, record, column, exact[place] ?? ''),
      );
      const image = imageInRow(kind, record);
      return [...cells, ...IMAGE_TEXT_COLUMNS.map(({ field }) => image?.[field] ?? '')];
    },
    fileRows(kind, record) {
      const isInRow = imageInRow(kind, record) !== undefined;
      const owner = references.of(kind, String(record['uuid']));
      return fileRows(kind, record)
        .filter((row) => !isInRow || row[ROLE] !== 'image')
        .map((row) => row.with(OWNER, joinList([owner])));
    },
    finish(kind, long) {
      for (const [place, { name }] of columnsOf(kind).entries()) {
        if (name.endsWith('_markdown') && !long.has(place - 1)) long.use(place);
      }
    },
  };
}

/**
 * The image of a record by field, if the columns of its row can give exactly this image: its uuid and id are derived from
 * those of the record, and it has no other fields. `url` is its URL or path.
 */
function imageInRow(kind: Kind, record: TabledRecord): Readonly<Record<string, string>> | undefined {
  const image: TabledRecord | null | undefined = Object(record[KIND_FACTS[kind].image] ?? {});
  const uuid = deriveUuid(String(record['uuid']), 'image');
  if (image?.['uuid'] !== uuid || image['id'] !== idOfUuid(uuid)) return undefined;
  const { filetype, name, description, url, path, title, alt, author, copyright } = image;
  const address = path ?? url;
  if (filetype !== 'image' || name || description || !address || (path && url)) return undefined;
  if (isWebAddress(String(address)) !== (path === null || path === undefined)) return undefined;
  const texts = { url: address, title, alt, author, copyright };
  const cells = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, String(text ?? '')]));
  return Object.values(cells).every((text) => text === text.trim()) ? cells : undefined;
}
