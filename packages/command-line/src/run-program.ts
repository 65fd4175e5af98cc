import { EXIT, type Output, UsageError } from '@archiefkast/system';
import yargs, { type Argv } from 'yargs';
import { type Command, type CommandList, findUseless, type NumberRange } from './define-command.ts';

/** A command line program. */
export interface Program<Context, Result> {
  name: string;
  /** The first lines of the help. */
  usage: string;
  /** The last lines of the help. */
  epilogue: string;
  version?: string;
  commands: CommandList<Context, Result>;
  /** The command that takes what follows `--`; without one, `--` only ends the options. */
  takesRest?: string;
  /** Whether it has the command `completion`, which prints a script for shells. */
  completes?: boolean;
}

type Examples = Command<never, unknown>['examples'];

const COMPLETION = 'completion [shell]';
const EXAMPLES: Examples = [
  ['completion bash >> ~/.bashrc', 'Completes commands and options in bash'],
  ['completion zsh >> ~/.zshrc', 'The same in zsh'],
];

/** The names of commands with their arguments. */
export function namesOf(usages: readonly string[]): string[] {
  return usages.map((usage) => usage.split(' ', 1)[0] ?? '');
}

/**
 * Parses the arguments of a program, and runs the command; help is written to `stdout`. Unknown arguments are refused, and what would
 * be ignored: options without a value, repeated, useless beside others, or with a value that they do not take.
 *
 * @param run runs the command with its options; returns the exit code
 * @throws UsageError if the arguments are invalid; what the command throws
 */
export async function runProgram<Context, Result>(
  argv: readonly string[],
  stdout: Output,
  program: Program<Context, Result>,
  run: (command: Command<Context, Result>, options: object) => Promise<number>,
): Promise<number> {
  const { name, usage, epilogue, version, commands, takesRest, completes } = program;
  const usages = [...Object.keys(commands), ...(completes ? [COMPLETION] : [])];
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(namesOf(usages));
  const parser = yargs()
    .locale('en')
    .scriptName(name)
    .usage(usage)
    .parserConfiguration({
      'boolean-negation': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'populate--': takesRest !== undefined,
    })
    .demandCommand(1, `Missing command: expected ${list}`)
    .strict()
    .recommendCommands()
    .help()
    .alias('help', 'h')
    .epilogue(epilogue)
    .wrap(100)
    .exitProcess(false);
  /** The options of the command: yargs forgets them when it fails. */
  let declared: unknown;
  /** A problem of an option, which yargs may have taken for another one. */
  const ownProblem = () => problemOfOptions(argv, declared ?? Object(parser).getOptions());
  parser
    .check(() => ownProblem() ?? true, true)
    .fail((message, error) => {
      // What a command throws has no message of yargs.
      if (!message) throw error;
      throw new UsageError(ownProblem() ?? worded(message, argv, usages));
    });
  if (version === undefined) parser.version();
  else parser.version(version);
  let exit: number = EXIT.done;
  for (const [usageOfCommand, { describe, load }] of Object.entries(commands)) {
    let loaded: Command<Context, Result> | undefined;
    const declare = async (own: Argv) => {
      const command = await load();
      loaded = command;
      own.usage(introduce(name, usageOfCommand, describe, command.examples));
      const check = (given: Readonly<Record<string, unknown>>) =>
        problemOfValues(argv, given, command, takesRest) ?? findUseless(command.rules ?? {}, given) ?? true;
      own.check(check, false);
      const all = command.options?.(own) ?? own;
      declared = Object(parser).getOptions();
      return all;
    };
    parser.command(usageOfCommand, describe, declare, async (options: object) => {
      if (loaded) exit = await run(loaded, options);
    });
  }
  if (completes) addCompletion(parser, name);
  try {
    await parser.parseAsync([...argv], {}, (_error, _argv, output) => {
      if (output) stdout.write(`${output}\n`);
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'YError')
      throw new UsageError(ownProblem() ?? error.message);
    throw error;
  }
  return exit;
}

/** How the help of a command begins. */
function introduce(name: string, usage: string, describe: string, examples: Examples): string {
  const lines = examples.map(([line, what]) => `# ${what}\n$ ${name} ${line.replace('$0', name)}`);
  return [`${name} ${usage}`, describe, ...lines].join('\n\n');
}

function addCompletion(parser: Argv, name: string): void {
  const describe = 'Print a completion script for bash or zsh';
  const shell = { choices: ['bash', 'zsh'] as const, describe: 'The shell [default: that of SHELL]' };
  parser.command(
    COMPLETION,
    describe,
    (own) => own.usage(introduce(name, COMPLETION, describe, EXAMPLES)).positional('shell', shell),
    () => void parser.showCompletionScript(),
  );
}

/** The message of an error, whose advice names the commands of both programs as they are run: packages know them as `archive-api migrate`. */
export function messageOf(error: unknown, name: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return name === 'archiefkast' ? message.replaceAll(/\barchive-(?:api|cli)(?= [a-z])/g, name) : message;
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
  { numbers = {}, texts = [] }: Pick<Command<never, unknown>, 'numbers' | 'texts'>,
  takesRest: string | undefined,
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
