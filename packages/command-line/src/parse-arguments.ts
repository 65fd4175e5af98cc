import { type Output, UsageError } from '@archiefkast/system';
import yargs, { type Argv } from 'yargs';

/** Which values a numeric option takes. */
export interface NumberRange {
  least: number;
  /** 9,007,199,254,740,991 without it. */
  most?: number;
  whole?: boolean;
}

/** A command line program: its commands, and which of their arguments are exceptions. */
export interface ProgramOptions {
  name: string;
  /** The first lines of the help. */
  usage: string;
  /** The last lines of the help. */
  epilogue: string;
  version: string | undefined;
  /** The commands with their arguments: `publish <bundle>`. */
  commands: readonly string[];
  numbers: Readonly<Record<string, NumberRange>>;
  /** Arguments that are texts and no paths: they may be empty or begin with `~/`. */
  texts?: readonly string[];
  /** The command that takes what follows `--`; without one, `--` only ends the options. */
  takesRest?: string;
}

/**
 * Parses the arguments of a program, and runs the command; help is written to `stdout`. Unknown arguments are refused, and what would
 * be ignored: options without a value, repeated, or with a value that they do not take.
 *
 * @param addCommands adds the commands
 * @throws UsageError if the arguments are invalid; what the command throws
 */
export async function parseArguments(
  argv: readonly string[],
  stdout: Output,
  options: ProgramOptions,
  addCommands: (parser: Argv) => void,
): Promise<void> {
  const { name, usage, epilogue, version, commands } = options;
  const names = commands.map((command) => command.split(' ', 1)[0] ?? '');
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
  const parser = yargs()
    .locale('en')
    .scriptName(name)
    .usage(usage)
    .parserConfiguration({
      'boolean-negation': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'populate--': options.takesRest !== undefined,
    })
    .demandCommand(1, `Missing command: expected ${list}`)
    .strict()
    .recommendCommands()
    .help()
    .alias('help', 'h')
    .epilogue(epilogue)
    .wrap(100)
    .exitProcess(false);
  /** A problem of an option, which yargs may have taken for another one. */
  const ownProblem = () => problemOfOptions(argv, Object(parser).getOptions());
  parser
    .check((given) => ownProblem() ?? problemOfValues(argv, given, options) ?? true, true)
    .fail((message, error) => {
      // What a command throws has no message of yargs.
      if (!message) throw error;
      throw new UsageError(ownProblem() ?? worded(message, argv, commands));
    });
  addCommands(version === undefined ? parser.version() : parser.version(version));
  try {
    await parser.parseAsync([...argv], {}, (_error, _argv, output) => {
      if (output) stdout.write(`${output}\n`);
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'YError')
      throw new UsageError(ownProblem() ?? error.message);
    throw error;
  }
}

/** The line about invalid arguments. */
export function describeUsageError(name: string, { message }: Error): string {
  return `${name}: ${message.replaceAll(/\s*\n\s*/g, ' ')} (see ${name} --help)\n`;
}

/** A message of yargs, with the command that it is about. */
function worded(message: string, [name = '']: readonly string[], commands: readonly string[]): string {
  if (message.startsWith('Did you mean')) return `Unknown command ${name}. ${message}`;
  const command = commands.find((one) => one.startsWith(`${name} `));
  const isMissing = message.startsWith('Not enough non-option arguments') && command !== undefined;
  return isMissing ? `${name}: expected ${command.slice(name.length + 1)}` : message;
}

/** What is wrong with options as they are written; undefined if nothing is. @param declared the options of yargs */
function problemOfOptions(argv: readonly string[], declared: unknown): string | undefined {
  const { key = {}, boolean = [], array = [] } = Object(declared);
  const seen = new Set<string>();
  for (const { name, value, next = '' } of optionsIn(argv)) {
    if (!(name in key)) continue;
    if (!boolean.includes(name)) {
      const isMissing = (value ?? next).trim() === '' || (value === undefined && /^-[^\d.]/.test(next));
      if (isMissing) return `--${name}: expected a value`;
    } else if (value !== undefined && !/^(?:true|false)$/.test(value)) {
      return `--${name}: expected no value, not "${value}"`;
    }
    if (seen.has(name) && !array.includes(name)) return `--${name}: expected once`;
    seen.add(name);
  }
  return undefined;
}

/** What is wrong with the values of arguments; undefined if nothing is. */
function problemOfValues(
  argv: readonly string[],
  given: Readonly<Record<string, unknown>>,
  { numbers, texts = [], takesRest }: ProgramOptions,
): string | undefined {
  const { _: words = [], $0: _program, '--': rest = [], ...values } = Object(given);
  if (rest.length > 0 && words[0] !== takesRest) return `Unknown argument: ${rest.join(', ')}`;
  const named = new Set([...optionsIn(argv)].map(({ name }) => name));
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || name !== dashed(name) || texts.includes(name)) continue;
    const expected = expectedOf([value].flat(), numbers[name]);
    if (expected !== undefined) return `${named.has(name) ? '--' : ''}${name}: expected ${expected}`;
  }
  return undefined;
}

/** The long options among arguments: their names, the values after `=`, and the words after them. */
function* optionsIn(argv: readonly string[]) {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  for (const [at, word] of words.entries()) {
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined) yield { name: dashed(name), value, next: words[at + 1] };
  }
}

/** What is expected instead of the values of an argument; undefined if they are valid. */
function expectedOf(values: readonly unknown[], range: NumberRange | undefined): string | undefined {
  if (values.includes('')) return 'a value, not an empty one';
  const home = values.find((value) => typeof value === 'string' && /^~(?:$|[\w-]*\/)/.test(value));
  if (home !== undefined)
    return `a path without ~, which shells replace only at the start of a word, not "${home}"`;
  if (!range) return undefined;
  const { least, most = Number.MAX_SAFE_INTEGER, whole = false } = range;
  const isWithin = (value: unknown) =>
    Number(value) >= least && Number(value) <= most && (!whole || Number.isSafeInteger(value));
  if (values.every(isWithin)) return undefined;
  const limit = most === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${most}`;
  return `a ${whole ? 'whole ' : ''}number of at least ${least}${limit}`;
}

/** The name of an option in kebab-case: yargs adds `lastName` for `last-name`. */
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
