/** What a number on the command line must be. */
export interface NumberRule {
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
