import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { runHere } from '../faults/run-here.ts';
import { runApiHere } from '../support/api-here.ts';
import { type Content, edited, writeContent } from './contents.ts';

/** The input of a golden file. */
interface Input {
  /** The command lines of every case, unless it has its own. */
  run?: string | string[];
  /** The files of every case, by path. */
  files?: Record<string, Content>;
  /** The cases: command lines; or by name, the files that differ and the command lines. */
  cases: string[] | Record<string, Record<string, Content> & { run?: string | string[] }>;
}

const PROGRAMS: Readonly<Record<string, typeof runHere>> = {
  'archive-api': runApiHere,
  'archive-cli': runHere,
};

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/**
 * Runs the cases of an input (YAML). Returns a line for each command, with the name of its case, the exit code and the last line
 * of its output, and then the other lines: those of stderr begin with `! `. The folder of a case is `.`, a uuid that the input
 * does not have `(uuid)`.
 */
export async function runGolden(input: string): Promise<string> {
  const { run = [], files = {}, cases }: Input = parse(input, { merge: true });
  const named = Array.isArray(cases)
    ? cases.map((line) => [line, { run: line }] as const)
    : Object.entries(cases);
  let output = '';
  for (const [name, { run: own = run, ...edits }] of named) {
    const results = await runAll([own].flat(), edited(files, edits));
    output += results.map((result, at) => `# ${at === 0 ? name : '…'}: ${result}`).join('');
  }
  return output.replaceAll(UUID, (uuid) => (input.includes(uuid) ? uuid : '(uuid)'));
}

/** Runs commands in a folder with these files. */
async function runAll(commands: readonly string[], files: Readonly<Record<string, Content>>) {
  const folder = await mkdtemp(join(tmpdir(), 'archive-golden-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeContent(join(folder, name), content);
    }
    const results: string[] = [];
    for (const command of commands) {
      const { program, args, environment } = parseCommand(command, folder);
      const { code, stderr, stdout } = await program(args, environment);
      const lines = (stderr.replaceAll(/^(?=.)/gm, '! ') + stdout)
        .replaceAll(folder, '.')
        .replaceAll(/(?<=: is not JSON: ).*/g, '(why)')
        .replaceAll(/\b\d+\.\d s\b/g, '(time)')
        .trimEnd()
        .split('\n');
      results.push(`${[`exit ${code} ${lines.at(-1)}`, ...lines.slice(0, -1)].join('\n')}\n`);
    }
    return results;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A command line: environment variables, the program and its arguments, in double quotes if they have spaces. */
function parseCommand(line: string, folder: string) {
  const words = (line.match(/(?:"[^"]*"|[^\s"])+/g) ?? []).map((word) =>
    word.replaceAll('"', '').replace(/(?<=^|[:=])\.(?=\/|$)/, folder),
  );
  const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const program = PROGRAMS[words[at] ?? ''];
  if (program === undefined) throw new Error(`expected archive-api or archive-cli in "${line}"`);
  const environment = Object.fromEntries(words.slice(0, at).map((word) => word.split(/=(.*)/s, 2)));
  return { program, args: words.slice(at + 1), environment };
}
