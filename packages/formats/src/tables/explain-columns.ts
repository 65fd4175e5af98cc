import {
  abbreviatedEventSchema,
  eventSchema,
  fileObjectSchema,
  KINDS,
  type Kind,
  locationSchema,
  personSchema,
  subjectSchema,
} from '@archiefkast/types';
import { COLUMN_IN_DUTCH, COLUMN_IN_ENGLISH, TYPE_IN_DUTCH, TYPE_IN_ENGLISH } from './column-texts.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
  type TableName,
} from './table-columns.ts';

/** What a column is for, for people. */
export interface ExplainedColumn {
  table: TableName;
  name: string;
  isRequired: boolean;
  english: string;
  dutch: string;
  /** What its cells hold, in English and Dutch. */
  cells: { english: string; dutch: string };
}

const SHAPES: Readonly<Record<Kind, Readonly<Record<string, { description?: string | undefined }>>>> = {
  person: personSchema.shape,
  subject: subjectSchema.shape,
  location: locationSchema.shape,
  event: { ...abbreviatedEventSchema.shape, ...eventSchema.shape },
};

const FILE_SHAPE: Readonly<Record<string, { description?: string | undefined }>> = fileObjectSchema.shape;

/** Every column of every table, with what it is for: in English as the schemas say it, and in Dutch. */
export function explainColumns(): ExplainedColumn[] {
  return [
    ...KINDS.flatMap((kind) => {
      const table = `${kind}s` as const;
      const image = Object.keys(IMAGE_COLUMNS).map((name): TableColumn => ({ name, type: 'text' }));
      return [...RECORD_COLUMNS[kind], ...image].map((column) =>
        explain(table, column, SHAPES[kind][column.name]?.description),
      );
    }),
    ...FILE_COLUMNS.map((column) => explain('files', column, FILE_SHAPE[column.name]?.description)),
    ...ARCHIVE_COLUMNS.map((column) => explain('archive', column, undefined)),
  ];
}

function explain(
  table: TableName,
  { name, type }: TableColumn,
  description: string | undefined,
): ExplainedColumn {
  const dutch = COLUMN_IN_DUTCH[`${table}.${name}`] ?? COLUMN_IN_DUTCH[name] ?? '';
  return {
    table,
    name,
    isRequired: isRequired(table, name),
    english: COLUMN_IN_ENGLISH[`${table}.${name}`] ?? COLUMN_IN_ENGLISH[name] ?? description ?? '',
    dutch,
    cells: { english: TYPE_IN_ENGLISH[type], dutch: TYPE_IN_DUTCH[type] },
  };
}

function isRequired(table: TableName, name: string): boolean {
  if (table === 'archive') return name === 'title_nl' || name === 'title_en';
  return name === 'id' || (table === 'files' && ['owner_kind', 'owner', 'role'].includes(name));
}
