import type { Argv } from 'yargs';

/** Which values a numeric option takes. */
export interface NumberRange {
  least: number;
  /** 9,007,199,254,740,991 without it. */
  most?: number;
  whole?: boolean;
}

/** What makes options useless: none is taken and ignored. */
export interface OptionRules {
  /** Pairs of which one makes the other useless, or a value of the other does. */
  excluding?: readonly (readonly [one: string, other: string, value?: string])[];
  /** Options that mean something only with another one or, of an option with values, with one of these. */
  needing?: readonly (readonly [option: string, needed: string, values?: readonly string[]])[];
  /** The values of needed options that are not given. */
  defaults?: Readonly<Record<string, string | readonly string[]>>;
}

/** `lastName` for `last-name`. */
type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;

/** The arguments of a command, by name: an option without a default may be missing. */
type Given<All> = {
  [Name in keyof All as undefined extends All[Name] ? never : Camel<Name> & string]: All[Name];
} & {
  [Name in keyof All as undefined extends All[Name] ? Camel<Name> & string : never]?: All[Name];
};

/** The arguments that a function declares. */
export type Declared<Declare extends (yargs: Argv) => unknown> =
  ReturnType<Declare> extends Argv<infer All> ? Given<All> : never;

/** A command of a program, which gives it a context and gets a result. */
export interface Command<Context, Result, Options = object> {
  /** Declares its arguments and options. */
  options?(yargs: Argv): Argv<Options>;
  /** The values of numeric options. */
  numbers?: Readonly<Record<string, NumberRange>>;
  /** Arguments that are texts and no paths: they may be empty or begin with `~/`. */
  texts?: readonly string[];
  rules?: OptionRules;
  /** Two command lines, after the name of the program, which is `$0` in them, and what each does: its help begins with them. */
  examples: readonly (readonly [line: string, what: string])[];
  /** @throws any error, which the program explains */
  run(context: Context, options: Given<Options>): Promise<Result>;
}

/** The commands of a program, by name and arguments: `publish <bundle>`. Each is loaded when it is needed. */
export type CommandList<Context, Result> = Readonly<
  Record<string, { describe: string; load(): Promise<Command<Context, Result>> }>
>;

/** Infers the options of a command. */
export function defineCommand<Context, Result, Options = object>(
  command: Command<Context, Result, Options>,
): Command<Context, Result, Options> {
  return command;
}

/** An option with a text. */
export const text = (describe: string) => ({ type: 'string', describe }) as const;

/** An option with a number. */
export const number = (describe: string) => ({ type: 'number', describe }) as const;

/** An option that is on or off. */
export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;

/** A required argument. */
export const required = (describe: string) => ({ ...text(describe), demandOption: true }) as const;

/** Which option that is given is useless by the rules, as a sentence; undefined if none is. */
export function findUseless(
  { excluding = [], needing = [], defaults = {} }: OptionRules,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  // A flag that is off is not given.
  const isGiven = (name: string) => given[name] !== undefined && given[name] !== false;
  const pair = excluding.find(
    ([one, other, value]) => isGiven(one) && (value === undefined ? isGiven(other) : given[other] === value),
  );
  if (pair) return `--${pair[0]} and --${pair.slice(1).join(' ')} exclude each other`;
  const isMet = (name: string, values: readonly string[] | undefined) =>
    values
      ? [given[name] ?? defaults[name]].flat().some((value) => values.includes(String(value)))
      : isGiven(name);
  const useless = needing.find(([option, needed, values]) => isGiven(option) && !isMet(needed, values));
  if (!useless) return undefined;
  const [option, needed, values = []] = useless;
  return `--${option}: expected only with --${[needed, values.join(' or ')].filter(Boolean).join(' ')}`;
}
