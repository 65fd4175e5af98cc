import { isHeaderValue } from '@archiefkast/client/internal';
import { type Declared, flag, number, text } from '@archiefkast/command-line';
import { LONGEST_SECONDS, UsageError } from '@archiefkast/system';
import { COLLECTIONS, isKind, KINDS, type Kind, kindOfCollection, LANGUAGES } from '@archiefkast/types/kinds';
import type { Argv } from 'yargs';
import { FORMAT_NAMES, FORMATS_OF_OPTIONS } from '../formats/formats.ts';

/** Valid names of kinds: `person` and `persons` mean the same. */
export const KIND_NAMES = [...Object.values(COLLECTIONS), ...KINDS];

/** Parses a kind: `person` or `persons`. @throws RangeError if the name is unknown */
export function parseKind(name: string): Kind {
  const kind = isKind(name) ? name : kindOfCollection(name);
  if (!kind) throw new RangeError(`unknown kind ${name}`);
  return kind;
}

/** Given several times, with a value each. */
export const several = (describe: string) => ({ ...text(describe), array: true, nargs: 1 }) as const;

/** The folder of a harvest. */
export const FOLDER = 'Folder of the harvest';

/** How changes between harvests are printed. */
export const REPORT_FORMATS = ['table', 'json', 'csv'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The values of numeric options of every command that sends requests. */
export const CONNECTION_NUMBERS = {
  timeout: { least: 0.001, most: LONGEST_SECONDS },
  retries: { least: 0, whole: true },
  'max-wait': { least: 0, most: LONGEST_SECONDS },
  rate: { least: 0.001 },
  'max-page-size': { least: 0.001 },
};

/** Adds the options of every command that sends requests. */
export function connectionOptions<T>(command: Argv<T>) {
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

export type ConnectionSettings = Declared<typeof connectionOptions<unknown>>;

/** Refuses the tables of a bundle, which the other program makes. @throws UsageError */
function refuseTables(format: string): string {
  if (format !== 'tables' && format !== 'tables.xlsx') return format;
  throw new UsageError(
    `--format ${format}: harvest with --format jsonl, and make tables of the folder with the command convert`,
  );
}

/** Adds the options of every command that writes files. */
export function formatOptions<T>(command: Argv<T>) {
  return command.options({
    format: {
      ...several('Formats to write, separated by commas [default: csv]'),
      choices: FORMAT_NAMES,
      coerce: (values: readonly string[]) => values.flatMap((value) => value.split(',')).map(refuseTables),
    },
    bom: flag('Begin CSV files with a byte order mark, for Excel'),
    both: flag('Write texts in both languages'),
    html: flag('Write texts as HTML instead of plain text'),
    full: flag('Write events to jsonl with their persons and location in full'),
    links: {
      ...text('Add edges between the persons of an event to graphml: an interpretation'),
      choices: ['persons'] as const,
    },
    force: flag('Overwrite files that no harvest wrote'),
  });
}

/** The formats that the options of files need. */
export const FORMATS_NEEDED = Object.entries(FORMATS_OF_OPTIONS).map(
  ([option, formats]) => [option, 'format', formats] as const,
);
