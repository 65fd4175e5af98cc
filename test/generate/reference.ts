import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run as runApi } from '@archiefkast/archive-api';
import { run as runCli } from '@archiefkast/archive-cli';
import { fileObject, parseRecord } from '@archiefkast/bundle';
import { namesOf } from '@archiefkast/command-line';
import { ARCHIVE_COLUMNS, FILE_COLUMNS, RECORD_COLUMNS, readingTables } from '@archiefkast/formats';
import {
  abbreviatedEventSchema,
  COLLECTIONS,
  fileObjectSchema,
  KIND_NAMES,
  KINDS,
  type Kind,
  recordSchemas,
} from '@archiefkast/types';
import { type ColumnType, KIND_FACTS } from '@archiefkast/types/internal';
import { z } from 'zod';
import { COMMANDS as API_COMMANDS } from '../../apps/api/dist/command-list.js';
import { SETTINGS } from '../../apps/api/dist/config.js';
import { PROBLEMS } from '../../apps/api/dist/http/problems.js';
import { COUNTED, GAUGES } from '../../apps/api/dist/serve/metrics.js';
import { COMMANDS as CLI_COMMANDS } from '../../apps/cli/dist/command-list.js';

const GENERATED = '<!-- Written by `npm run generate`. -->';

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
const prose = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\S*<\w+>\S*/g, '`$&`');

/** A page of sections; each is a text, or rows of a table with its header first. */
function page(title: string, ...sections: readonly (string | readonly (readonly string[])[])[]): string {
  const texts = sections.map((section) => {
    if (typeof section === 'string') return section;
    const [header = [], ...rows] = section.map((cells) => `| ${cells.join(' | ')} |`);
    return [header, `|${'---|'.repeat(section[0]?.length ?? 0)}`, ...rows].join('\n');
  });
  return [`# ${title}`, GENERATED, ...texts].join('\n\n').concat('\n');
}

function problems(): string {
  const rows = Object.entries(PROBLEMS)
    .sort(([a, { status: first }], [b, { status: second }]) => first - second || (a < b ? -1 : 1))
    .map(([name, { status, title, en }]) => [String(status), code(name), title.en, prose(en)]);
  return page(
    'Problems',
    'Every kind of error of the API. [The API](../api.md#problems) says what an error consists of; its `type` is the address of a help page, `/problems/` and the name.',
    [['status', 'name', 'title', 'what it means'], ...rows],
  );
}

/** Where the documentation says more of a setting. */
const MORE: Readonly<Record<string, string>> = {
  DATABASE_URL: '[encryption](../install-and-hosting.md#the-address-of-the-database)',
  BASE_URL: '[proxies](../install-and-hosting.md#behind-a-proxy)',
  MAP_TILES: '[maps](../pages.md#maps)',
  DERIVED_DIR: '[derived files](../operations.md#derived-files)',
  MEDIA_DIR: '[files of the archive](../operations.md#files-of-the-archive)',
  CACHE_MB: '[memory](../operations.md#memory)',
  MAX_STALE: '[never outdated](../operations.md#never-outdated)',
  ADMIN_PORT: '[watching it](../operations.md#watching-it)',
  ACCESS_LOG: '[the log](../operations.md#the-log)',
};

function settings(): string {
  const rows = SETTINGS.map(({ name, fallback, meaning }) => {
    const more = MORE[name] ? `: see ${MORE[name]}` : '';
    return [code(name), code(fallback), prose(meaning) + more];
  });
  return page(
    'Settings of archive-api',
    'Environment variables; an empty one counts as unset. `archive-api --help` lists the same. An invalid setting is reported with what was expected, and the exit code is 2.',
    [['setting', 'default', 'means'], ...rows],
  );
}

function metrics(): string {
  const counted = Object.entries(COUNTED).map(
    ([name, { help, labelNames }]) => [name, labelNames, help] as const,
  );
  const gauges = Object.entries(GAUGES).map(
    ([name, { help, label }]) => [name, label ? [label] : [], help] as const,
  );
  const rows = [...counted, ...gauges].map(([name, labels, help]) => [
    code(name),
    labels.map(code).join(', ') || '–',
    prose(help),
  ]);
  return page(
    'Metrics',
    'What `/metrics` on `ADMIN_PORT` has, for Prometheus; [watching it](../operations.md#watching-it) says what for. Those of Node, `nodejs_…` and `process_…`, are there too.',
    [['metric', 'labels', 'means'], ...rows],
  );
}

/** Runs the help of a command. */
async function help(program: 'api' | 'cli', ...words: string[]): Promise<string> {
  const written: string[] = [];
  const stdout = { write: (text: string | Uint8Array) => written.push(String(text)) };
  const { signal } = new AbortController();
  const process = { arguments: [...words, '--help'], environment: {}, stdout, stderr: stdout, signal };
  await (program === 'api' ? runApi(process) : runCli({ ...process, openPage: async () => {} }));
  return written.join('').trim();
}

async function commands(): Promise<string> {
  const sections: string[] = [];
  const programs = [
    ['api', namesOf(Object.keys(API_COMMANDS))],
    ['cli', [...namesOf(Object.keys(CLI_COMMANDS)), 'completion']],
  ] as const;
  for (const [program, names] of programs) {
    const list =
      (await help(program))
        .split(/\n\nOptions:/)[0]
        ?.split('\n\n')
        .slice(1)
        .join('\n\n') ?? '';
    sections.push(`## archive-${program}`, `\`\`\`\n${list}\n\`\`\``);
    for (const name of names) {
      const text = (await help(program, name))
        .replaceAll(/^ +(?:-h, )?--(?:version|help) .*\n?/gm, '')
        .replace(/\n*Options:\n*(?=$|\n[A-Z])/, '');
      sections.push(`### archive-${program} ${name}`, `\`\`\`\n${text.trim()}\n\`\`\``);
    }
  }
  return page(
    'Commands',
    'What `--help` prints. `archiefkast` runs the commands of both programs: `archiefkast publish`, `archiefkast harvest`. [Operations](../operations.md) and [archive-cli](../cli.md) explain them, with their exit codes.',
    ...sections,
  );
}

/** A JSON Schema, as far as it is read here. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  pattern?: string;
  anyOf?: Schema[];
  items?: Schema;
  description?: string;
  properties?: Record<string, Schema>;
  $defs?: Record<string, Schema>;
}

/** Sections of the page of fields, by the name of their schema. */
const SECTIONS: Readonly<Record<string, string>> = {
  Person: '[person](#person)',
  Subject: '[subject](#subject)',
  Location: '[location](#location)',
  Event: '[event](#event)',
  AbbreviatedEvent: '[abbreviated event](#abbreviated-event)',
  FileObject: '[file](#file)',
};

function typeOf(schema: Schema): string {
  const { $ref, anyOf, items = {}, type = 'any value', pattern = '' } = schema;
  if ($ref) return SECTIONS[$ref.split('/').at(-1) ?? ''] ?? 'object';
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (type === 'array') return `list of ${typeOf(items)}`;
  const form = pattern.startsWith('^https?') ? 'address' : pattern.startsWith('^\\d{4}-') ? 'date' : 'text';
  return [type].flat().join(' or ').replace('string', form);
}

function fields(): string {
  const sections = [
    ...KINDS.map((kind) => [KIND_NAMES.en[kind].one, recordSchemas[kind]] as const),
    ['Abbreviated event', abbreviatedEventSchema] as const,
    ['File', fileObjectSchema] as const,
  ].flatMap(([title, schema]) => {
    const { $ref = '', $defs = {} }: Schema = z.toJSONSchema(schema) as Schema;
    const { properties = {}, description = '' } = $defs[$ref.split('/').at(-1) ?? ''] ?? {};
    const rows = Object.entries(properties).map(([name, field]) => [
      code(name),
      typeOf(field),
      prose(field.description ?? ''),
    ]);
    return [`## ${title}`, description, [['field', 'type', 'what it is'], ...rows]];
  });
  return page(
    'Fields of records in the API',
    'The fields of each kind in the order in which they are sent. [The wire contract](../contract.md#records) has what holds for all of them.',
    ...sections,
  );
}

/** What a value of a bundle is in a line of JSON, by the type of its column. */
const IN_JSON: Readonly<Record<ColumnType, string>> = {
  id: 'number',
  uuid: 'text (UUID)',
  boolean: 'boolean',
  text: 'text',
  nullable: 'text or null',
  html: 'text (HTML)',
  date: 'text (YYYY-MM-DD)',
  degrees: 'text (degrees)',
  reference: 'reference',
  references: 'list of references',
  urls: 'list of addresses',
  json: 'list',
};

const FILE = '[file](#files)';
const LONGEST_EXAMPLE = 80;

/** The shortest value of each field in the sample archive that is not empty. */
function examples(folder: string, kind: Kind): Map<string, string> {
  const lines = readFileSync(join(folder, `apps/api/sample/${COLLECTIONS[kind]}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const shortest = new Map<string, string>();
  for (const line of lines) {
    const record: object = JSON.parse(line);
    const isDraft = 'published' in record && record.published === false;
    for (const [name, value] of Object.entries(record)) {
      const text = JSON.stringify(value);
      const before = shortest.get(name);
      if (isDraft && name !== 'published') continue;
      if (/^(?:""|\[\]|null|true)$/.test(text) || text.length > LONGEST_EXAMPLE) continue;
      if (before === undefined || text.length < before.length) shortest.set(name, text);
    }
  }
  return shortest;
}

function bundleFields(folder: string): string {
  const sections = KINDS.flatMap((kind) => {
    const least = { id: 1, uuid: '0b5e8a3c-6d1f-4c7e-9a2b-3f4d5e6a7b8c' };
    const parsed = parseRecord(kind, { value: least, length: 0 });
    const defaults: object = 'record' in parsed ? parsed.record : {};
    const empty = new Map(Object.entries(defaults));
    const shown = examples(folder, kind);
    const columns = RECORD_COLUMNS[kind].map(({ name, type, target, en, inTables = en }) => {
      const inJson = name === 'parent' ? 'number (id of a subject)' : IN_JSON[type];
      return [
        name,
        target && name !== 'parent' ? `${inJson}: ${COLLECTIONS[target]}` : inJson,
        inTables,
      ] as const;
    });
    const files = [
      [KIND_FACTS[kind].image, FILE, 'Its image.'] as const,
      ['files', `list of ${FILE}`, 'Its other files.'] as const,
    ];
    const rows = [...columns, ...files].map(([name, type, english]) => {
      const isRequired = name in least;
      const example = shown.get(name);
      return [
        code(name),
        type,
        isRequired ? (name === 'uuid' ? 'yes; not in tables' : 'yes') : 'no',
        isRequired ? '–' : code(JSON.stringify(empty.get(name) ?? (type.startsWith('list') ? [] : null))),
        example === undefined ? '–' : code(example),
        prose(english),
      ];
    });
    return [
      `## ${COLLECTIONS[kind]}`,
      [['field', 'type', 'required', 'empty is', 'example', 'what it is'], ...rows],
    ];
  });
  const files = Object.keys(fileObject.shape).map((name) => {
    const column = FILE_COLUMNS.find((each) => each.name === name);
    return [code(name), prose(column?.en ?? '')];
  });
  const archive = ARCHIVE_COLUMNS.map(({ name, path, en }) => [
    code(path.filter(Boolean).join('.')),
    code(name),
    prose(en),
  ]);
  return page(
    'Fields of a bundle',
    'What [a bundle](../bundle.md) gives of each kind: the fields of a line of JSON, and the columns of a table, where [cells](../bundle.md#tables) are written as people do. Images and files are fields of a line; tables have them in a table of their own. Examples are of the sample archive.',
    ...sections,
    '## files',
    'The [image or file](../bundle.md#images-and-files) of a record. `id` is required, in a line of JSON `uuid` too.',
    [['field', 'what it is'], ...files],
    '## archive',
    'What [`archive.json`](../bundle.md#the-archive), the table `archive.csv` and the sheet `archive` say of the archive.',
    [['in archive.json', 'in tables', 'what it is'], ...archive],
  );
}

function columns(): string {
  const sections = readingTables(KINDS).flatMap(({ name, columns: all }) => [
    `## ${name}.csv`,
    [
      ['column', 'type', 'holds'],
      ...all.map((each) => [code(each.name), each.type, prose(each.description)]),
    ],
  ]);
  return page(
    'Columns of harvested tables',
    'The columns of CSV files, of the sheets of a workbook and of the tables of SQLite that [archive-cli](../cli.md#csv) writes, and of dumps in CSV. Lists are joined by `|`.',
    ...sections,
  );
}

/** The pages of docs/reference, made of the tables that the programs use. */
export async function generateReference(folder: string): Promise<[path: string, text: string][]> {
  return [
    ['docs/reference/problems.md', problems()],
    ['docs/reference/settings.md', settings()],
    ['docs/reference/metrics.md', metrics()],
    ['docs/reference/commands.md', await commands()],
    ['docs/reference/fields.md', fields()],
    ['docs/reference/bundle-fields.md', bundleFields(folder)],
    ['docs/reference/columns.md', columns()],
  ];
}
