import type { FileOptions, Format } from './format.ts';

/** The formats that each option changes. */
export const FORMATS_OF_OPTIONS: Readonly<Record<keyof FileOptions, readonly string[]>> = {
  bom: ['csv'],
  both: ['csv', 'xlsx'],
  html: ['csv', 'xlsx'],
  full: ['jsonl'],
  links: ['graphml'],
};

const NO_OPTIONS: FileOptions = { bom: false, both: false, html: false, full: false };

/**
 * Formats by name, in the order of writing, each with its options that are on. The proof stores them, so that an update writes the
 * same way.
 */
export type WrittenFormats = Readonly<Record<string, Partial<FileOptions>>>;

/** Formats by name, each with those of the options that change it. */
export function withOptions(names: readonly string[], options: FileOptions): WrittenFormats {
  return inOrder(
    names.map((name) => {
      const changed = Object.entries(FORMATS_OF_OPTIONS).filter(
        ([option, formats]) => options[option as keyof FileOptions] && formats.includes(name),
      );
      return [
        name,
        Object.fromEntries(changed.map(([option]) => [option, options[option as keyof FileOptions]])),
      ];
    }),
  );
}

/** All formats of two lists; one that is in both has the options of both. */
export function joinFormats(some: WrittenFormats, others: WrittenFormats): WrittenFormats {
  const names = Object.keys({ ...some, ...others });
  return inOrder(names.map((name) => [name, { ...some[name], ...others[name] }]));
}

/** Formats as a sentence lists them: "csv with --bom and --both, jsonl". */
export function describeFormats(formats: WrittenFormats): string {
  const described = Object.entries(formats).map(([name, options]) => {
    const given = Object.entries(options).map(([option, value]) =>
      value === true ? `--${option}` : `--${option} ${value}`,
    );
    return given.length === 0 ? name : `${name} with ${given.join(' and ')}`;
  });
  return described.join(', ');
}

/** All options of a format. */
export function optionsOf(format: Partial<FileOptions>): FileOptions {
  return { ...NO_OPTIONS, ...format };
}

/** Formats in the order of writing. */
export function inOrder(formats: Iterable<readonly [name: string, Partial<FileOptions>]>): WrittenFormats {
  const found = new Map(formats);
  return Object.fromEntries(inWritingOrder([...found.keys()]).map((name) => [name, found.get(name) ?? {}]));
}

/** All formats, in the order of writing; loaded on demand, because some need a large library. */
const FORMATS: Readonly<Record<string, () => Promise<Format>>> = {
  csv: async () => (await import('./csv.ts')).csvFormat,
  jsonl: async () => (await import('./jsonl.ts')).jsonlFormat,
  geojson: async () => (await import('./geojson.ts')).geojsonFormat,
  sqlite: async () => (await import('./sqlite.ts')).sqliteFormat,
  graphml: async () => (await import('./graphml.ts')).graphmlFormat,
  xlsx: async () => (await import('./xlsx.ts')).xlsxFormat,
};

export const FORMAT_NAMES: readonly string[] = Object.keys(FORMATS);

export const DEFAULT_FORMATS = ['csv'];

/** Names of formats, each once, in the order of writing. */
function inWritingOrder(names: readonly string[]): string[] {
  return FORMAT_NAMES.filter((name) => names.includes(name));
}

/** Loads formats, in the order of writing. */
export async function loadFormats(names: readonly string[]): Promise<Format[]> {
  return Promise.all(inWritingOrder(names).flatMap((name) => FORMATS[name]?.() ?? []));
}
