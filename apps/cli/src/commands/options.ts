import { COLLECTIONS, isKind, KINDS, type Kind, kindOfCollection } from '@archiefkast/types/kinds';

/** Valid names of kinds: `person` and `persons` mean the same. */
export const KIND_NAMES = [...Object.values(COLLECTIONS), ...KINDS];

/** Parses a kind: `person` or `persons`. @throws RangeError if the name is unknown */
export function parseKind(name: string): Kind {
  const kind = isKind(name) ? name : kindOfCollection(name);
  if (!kind) throw new RangeError(`unknown kind ${name}`);
  return kind;
}

/** The formats of a list of changes. */
export const REPORT_FORMATS = ['table', 'json', 'csv'] as const;

/** A format of a list of changes. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The formats of a list of hits. */
export const SEARCH_FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;

/** Exceptions to the rules of `checkGiven`. */
interface GivenRules {
  /** Names, without dashes, of arguments and options that may be repeated. */
  several?: readonly string[];
  /** Whether arguments after `--` are allowed. */
  rest?: boolean;
}

/**
 * Creates a check that rejects arguments that would be ignored: repeated options, empty values, arguments after `--`.
 *
 * @returns a function that returns an error message, or true
 */
export function checkGiven({ several = [], rest = false }: GivenRules = {}) {
  return (given: Readonly<Record<string, unknown>>): string | true => {
    for (const [name, value] of Object.entries(given)) {
      if (name === '_' || name === '$0') continue;
      if (name === '--') {
        if (!rest && Array.isArray(value) && value.length > 0) return `Unknown argument: ${value.join(', ')}`;
        continue;
      }
      if (value === '' || (Array.isArray(value) && name !== 'query' && value.includes(''))) {
        return `--${dashed(name)}: expected a value, not an empty one`;
      }
      if (Array.isArray(value) && !several.includes(dashed(name))) {
        return `--${dashed(name)}: expected one value, not ${value.length}`;
      }
    }
    return true;
  };
}

/** The name of an option in kebab-case: yargs adds `lastName` for `last-name`. */
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Creates a check of numeric options.
 *
 * @param rules by the option's name, without dashes
 * @returns a function that returns an error message, or true
 */
export function checkNumbers(rules: Readonly<Record<string, { least: number; whole?: boolean }>>) {
  return (given: Readonly<Record<string, unknown>>): string | true => {
    for (const [name, { least, whole = false }] of Object.entries(rules)) {
      const value = given[name];
      if (value === undefined) continue;
      const number = Number(value);
      if (number >= least && (!whole || Number.isSafeInteger(number))) continue;
      return `--${name}: expected a ${whole ? 'whole ' : ''}number of at least ${least}`;
    }
    return true;
  };
}
