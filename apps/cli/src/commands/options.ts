import { isHeaderValue } from '@archiefkast/client/internal';
import type { NumberRange } from '@archiefkast/command-line';
import { LONGEST_SECONDS, UsageError } from '@archiefkast/system';
import { COLLECTIONS, isKind, KINDS, type Kind, kindOfCollection, LANGUAGES } from '@archiefkast/types/kinds';
import type { Argv } from 'yargs';
import { DEFAULT_FORMATS, FORMAT_NAMES, FORMATS_OF_OPTIONS } from '../formats/formats.ts';

/** Valid names of kinds: `person` and `persons` mean the same. */
export const KIND_NAMES = [...Object.values(COLLECTIONS), ...KINDS];

/** Parses a kind: `person` or `persons`. @throws RangeError if the name is unknown */
export function parseKind(name: string): Kind {
  const kind = isKind(name) ? name : kindOfCollection(name);
  if (!kind) throw new RangeError(`unknown kind ${name}`);
  return kind;
}

const REPORT_FORMATS = ['table', 'json', 'csv'] as const;

export const NUMBERS: Readonly<Record<string, NumberRange>> = {
  timeout: { least: 0.001, most: LONGEST_SECONDS },
  retries: { least: 0, whole: true },
  'max-wait': { least: 0, most: LONGEST_SECONDS },
  rate: { least: 0.001 },
  'max-page-size': { least: 0.001 },
  concurrency: { least: 1, whole: true },
  limit: { least: 1, whole: true },
};

/** `lastName` for `last-name`. */
type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;

/** The arguments of a command with these options. */
type Given<Options extends (command: Argv) => unknown> =
  ReturnType<Options> extends Argv<infer All>
    ? { [Name in keyof All as undefined extends All[Name] ? never : Camel<Name> & string]: All[Name] } & {
        [Name in keyof All as undefined extends All[Name] ? Camel<Name> & string : never]?: All[Name];
      }
    : never;

const text = (describe: string) => ({ type: 'string', describe }) as const;
const number = (describe: string) => ({ type: 'number', describe }) as const;
const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;
/** Given several times, with a value each. */
const several = (describe: string) => ({ ...text(describe), array: true, nargs: 1 }) as const;

const folder = { ...text('Folder of the harvest'), demandOption: true } as const;

/** What makes options useless: none is taken and ignored. */
export interface OptionRules {
  /** Pairs of which one makes the other useless, or a value of the other does. */
  excluding?: readonly (readonly [one: string, other: string, value?: string])[];
  /** Options that mean something only with another one or, of an option with values, with one of these. */
  needing?: readonly (readonly [option: string, needed: string, values?: readonly string[]])[];
}

/** The rules of each command. */
export const RULES = {
  harvest: {
    excluding: [
      ['quiet', 'verbose'],
      ['out', 'update'],
      ...['report', 'quiet', 'verbose'].map((other) => ['json', other] as const),
      ...['out', 'update', 'from', 'format', 'bom', 'both', 'html', 'force', 'quiet', 'verbose'].map(
        (other) => ['dry-run', other] as const,
      ),
    ],
    needing: [['report', 'update'], ['concurrency', 'from', ['pages']], ...formatsNeeded()],
  },
  export: {
    excluding: [
      ['out', 'force'],
      ['both', 'file', 'files.csv'],
      ['html', 'file', 'files.csv'],
      ['html', 'file', 'footnotes.csv'],
    ],
    needing: [['file', 'out', ['-']], ...formatsNeeded()],
  },
  search: {
    excluding: [
      ['json', 'format'],
      ['limit', 'all'],
      ['count', 'web'],
      ...['count', 'web'].flatMap((one) =>
        ['limit', 'all', 'format', 'json'].map((other) => [one, other] as const),
      ),
    ],
  },
  show: { excluding: [['json', 'web']] },
} as const satisfies Record<string, OptionRules>;

function formatsNeeded() {
  return Object.entries(FORMATS_OF_OPTIONS).map(([option, formats]) => [option, 'format', formats] as const);
}

/** The values of options that are not given. */
const DEFAULTS: Readonly<Record<string, unknown>> = { format: DEFAULT_FORMATS, from: 'pages' };

/** Creates the check of some rules: true, or why an option that is given is useless. */
export function checkRules({ excluding = [], needing = [] }: OptionRules) {
  return (given: Readonly<Record<string, unknown>>): true | string => {
    // A flag that is off is not given.
    const isGiven = (name: string) => given[name] !== undefined && given[name] !== false;
    const pair = excluding.find(
      ([one, other, value]) =>
        isGiven(one) && (value === undefined ? isGiven(other) : given[other] === value),
    );
    if (pair) return `--${pair[0]} and --${pair.slice(1).join(' ')} exclude each other`;
    const isMet = (name: string, values: readonly string[] | undefined) =>
      values
        ? [given[name] ?? DEFAULTS[name]].flat().some((value) => values.includes(String(value)))
        : isGiven(name);
    const useless = needing.find(([option, needed, values]) => isGiven(option) && !isMet(needed, values));
    if (!useless) return true;
    const [option, needed, values = []] = useless;
    return `--${option}: expected only with --${[needed, values.join(' or ')].filter(Boolean).join(' ')}`;
  };
}

/** Adds the options of every command that sends requests. */
function connectionOptions<T>(command: Argv<T>) {
  const options = command.options({
    'base-url': text('Address of the archive [default: $ARCHIVE_URL]'),
    lang: { ...text('Language of the unsuffixed fields [default: en]'), choices: LANGUAGES },
    timeout: { ...number('Timeout if the server sends nothing, in seconds'), default: 30 },
    retries: number('Retries of a failed request [default: 5; search and show 2]'),
    'max-wait': {
      ...number('Longest wait that the server may request (Retry-After), in seconds'),
      default: 300,
    },
    rate: number('Maximum requests per second [default: no limit]'),
    'max-page-size': { ...number('Maximum size of a response, in MB'), default: 256 },
    contact: text('Your contact address, sent in the User-Agent header'),
    lenient: flag('Accept and keep unknown fields'),
  });
  return options.check(
    ({ contact = '' }) =>
      isHeaderValue(contact) || `--contact: expected characters of Latin-1, not "${contact}"`,
  );
}

export type ConnectionSettings = Given<typeof connectionOptions<unknown>>;

/** Refuses the tables of a bundle, which the other program makes. @throws UsageError */
function refuseTables(format: string): string {
  if (format !== 'tables' && format !== 'tables.xlsx') return format;
  throw new UsageError(
    `--format ${format}: harvest with --format jsonl, and make tables of the folder with: archive-api convert <folder> <tables>`,
  );
}

function formatOptions<T>(command: Argv<T>) {
  return command.options({
    format: {
      ...several('Formats to write, separated by commas [default: csv]'),
      choices: FORMAT_NAMES,
      coerce: (values: readonly string[]) => values.flatMap((value) => value.split(',')).map(refuseTables),
    },
    bom: flag('Begin CSV files with a byte order mark, for Excel'),
    both: flag('Write texts in both languages'),
    html: flag('Write texts as HTML instead of plain text'),
    force: flag('Overwrite files that archive-cli did not write'),
  });
}

export function harvestOptions(options: Argv) {
  return formatOptions(connectionOptions(options))
    .positional('kinds', { ...text('Kinds to harvest [default: all]'), array: true, choices: KIND_NAMES })
    .options({
      out: { ...text('Folder to write to'), nargs: 1 },
      update: text('Folder of a harvest to update'),
      from: { ...text('Read pages or dumps [default: pages]'), choices: ['pages', 'dumps'] as const },
      'dry-run': flag('Only estimate the number of records, requests and seconds'),
      report: {
        ...text('Format of the changes that --update prints [default: table]'),
        choices: REPORT_FORMATS,
      },
      concurrency: number('Pages of a kind to request in parallel [default: 1]'),
      json: flag('Print events as lines of JSON on stdout'),
      quiet: flag('Print errors only'),
      verbose: flag('Print a line for each page'),
    })
    .check(checkRules(RULES.harvest));
}

export type HarvestSettings = Given<typeof harvestOptions>;

export function exportOptions(options: Argv) {
  return formatOptions(options)
    .positional('folder', folder)
    .options({
      out: { ...text('Only -: write one file to stdout'), nargs: 1 },
      file: text('File to write, if the format has several'),
    })
    .check(checkRules(RULES.export));
}

export type ExportSettings = Given<typeof exportOptions>;

export function verifyOptions(options: Argv) {
  return options
    .positional('folder', folder)
    .option('source', flag('Also compare with the manifest that the archive serves now'));
}

export type VerifySettings = Given<typeof verifyOptions>;

export function diffOptions(options: Argv) {
  return options
    .positional('old', { ...folder, describe: 'Folder of the older harvest' })
    .positional('new', { ...folder, describe: 'Folder of the newer harvest' })
    .option('format', { ...text('Output format'), choices: REPORT_FORMATS, default: 'table' as const });
}

export type DiffSettings = Given<typeof diffOptions>;

export function statsOptions(options: Argv) {
  return options.positional('folder', folder).option('json', flag('Print JSON'));
}

export type StatsSettings = Given<typeof statsOptions>;

export function searchOptions(options: Argv) {
  return connectionOptions(options)
    .positional('query', {
      ...text('Words, or field:value [default: all records]'),
      array: true,
      default: [],
    })
    .options({
      'last-name': several('Find persons whose last name contains this'),
      city: several('Find locations in this city'),
      kind: { ...several('Only hits of this kind; can be repeated'), choices: KIND_NAMES },
      limit: number('Maximum number of hits [default: 20]'),
      all: flag('Print all hits'),
      count: flag('Print only the number of hits'),
      web: flag("Open the first hit's page in a browser"),
      format: {
        ...text('Output format [default: table]'),
        choices: ['table', 'json', 'jsonl', 'csv'] as const,
      },
      json: flag('Print JSON: --format json'),
    })
    .check(checkRules(RULES.search));
}

/** With what follows `--`. */
export type SearchSettings = Given<typeof searchOptions> & { '--'?: readonly unknown[] };

export function showOptions(options: Argv) {
  return connectionOptions(options)
    .positional('kind', { ...text('Kind of the record'), choices: KIND_NAMES, demandOption: true })
    .positional('uuid', { ...text('Uuid of the record'), demandOption: true })
    .options({
      json: flag('Print the JSON of the API'),
      web: flag('Open its page in a browser'),
    })
    .check(checkRules(RULES.show));
}

export type ShowSettings = Given<typeof showOptions>;

export function completionOptions(options: Argv) {
  const describe = 'The shell [default: that of SHELL]';
  return options.positional('shell', { choices: ['bash', 'zsh'] as const, describe });
}
