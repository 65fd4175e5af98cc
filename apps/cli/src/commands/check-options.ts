/** What may be given. */
interface GivenRules {
  /** Arguments and options, as they are typed without dashes, that may be given more than once. */
  several?: readonly string[];
  /** Whether something may follow `--`. */
  rest?: boolean;
}

/**
 * Makes a check that nothing of what was typed would be dropped: an option that is given twice where it can mean
 * one thing, a value that is empty, something after `--`.
 *
 * @returns a function that says what is wrong with the arguments it is handed, or true
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
        return `--${dashed(name)}: expected a value, not nothing`;
      }
      if (Array.isArray(value) && !several.includes(dashed(name))) {
        return `--${dashed(name)}: expected one value, not ${value.length}`;
      }
    }
    return true;
  };
}

/** The name as it is typed: yargs has `lastName` beside `last-name`. */
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What a number on the command line must be. */
interface NumberRule {
  least: number;
  whole: boolean;
}

/**
 * Makes a check of options that are numbers.
 *
 * @param rules by the option's name, as it is typed without its dashes
 * @returns a function that says what is wrong with the options it is handed, or true
 */
export function checkNumbers(rules: Readonly<Record<string, NumberRule>>) {
  return (given: Readonly<Record<string, unknown>>): string | true => {
    for (const [name, { least, whole }] of Object.entries(rules)) {
      const value = given[name];
      if (value === undefined) continue;
      const number = Number(value);
      if (number >= least && (!whole || Number.isSafeInteger(number))) continue;
      return `--${name}: expected a ${whole ? 'whole ' : ''}number of at least ${least}`;
    }
    return true;
  };
}
