import { COLUMN_TYPES } from './column-types.ts';
import { TABLE_COLUMNS, type TableName } from './table-columns.ts';

/** The explanation of a column for users. */
export interface ExplainedColumn {
  table: TableName;
  name: string;
  isRequired: boolean;
  english: string;
  dutch: string;
  /** The content of its cells, in English and Dutch. */
  cells: { english: string; dutch: string };
}

/** Explains every column of every table, in English and Dutch. */
export function explainColumns(): ExplainedColumn[] {
  return TABLE_COLUMNS.flatMap(([table, columns]) =>
    columns.map(({ name, type, english, dutch }) => {
      return { table, name, isRequired: isRequired(table, name), english, dutch, cells: COLUMN_TYPES[type] };
    }),
  );
}

function isRequired(table: TableName, name: string): boolean {
  if (table === 'archive') return name === 'title_nl' || name === 'title_en';
  return name === 'id' || (table === 'files' && ['owner_kind', 'owner', 'role'].includes(name));
}
