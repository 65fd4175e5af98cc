/** The commands of each program, by the word that names the program before a command. */
export const PROGRAMS = {
  api: [
    'publish',
    'serve',
    'editions',
    'switch',
    'rollback',
    'doctor',
    'migrate',
    'index',
    'check',
    'export',
    'convert',
    'template',
    'import',
  ],
  cli: ['harvest', 'export', 'verify', 'diff', 'stats', 'search', 'show', 'completion'],
} as const satisfies Record<string, readonly string[]>;

export type Program = keyof typeof PROGRAMS;

/** What a command line asks for: a command of a program, help, the version, or nothing that there is. */
export type Choice =
  | { kind: 'run'; program: Program; arguments: readonly string[] }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'invalid'; reason: string };

/** Chooses by the first argument: `api` or `cli`, or a command that only one of them has. */
export function chooseProgram(argv: readonly string[]): Choice {
  const [first, ...rest] = argv;
  if (first === '--help' || first === '-h') return { kind: 'help' };
  if (first === '--version') return { kind: 'version' };
  if (first === undefined) return invalid('Missing command');
  if (first === 'api' || first === 'cli') return { kind: 'run', program: first, arguments: rest };
  const [program, other] = programsOf(first);
  if (program && other) {
    return invalid(
      `${first}: expected api ${first} (what a database serves) or cli ${first} (a folder of a harvest)`,
    );
  }
  return program ? { kind: 'run', program, arguments: argv } : invalid(`Unknown command ${first}`);
}

function invalid(reason: string): Choice {
  return { kind: 'invalid', reason };
}

/** The list of commands in the help of a program, with the names by which `archiefkast` runs them. */
export function listCommands(program: Program, help: string): string {
  const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec(help) ?? [];
  return list
    .replaceAll(`archive-${program}`, 'archiefkast')
    .replaceAll(/^ {2}archiefkast (\w+)(.*?) {4}/gm, (line, command: string, operands: string) =>
      programsOf(command).length > 1 ? `  archiefkast ${program} ${command}${operands}` : line,
    );
}

function programsOf(command: string): Program[] {
  const programs = Object.keys(PROGRAMS) as Program[];
  return programs.filter((program) => PROGRAMS[program].some((each) => each === command));
}
