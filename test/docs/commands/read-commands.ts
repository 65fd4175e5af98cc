/** A command that a page tells its readers to type. */
export interface Command {
  page: string;
  line: number;
  text: string;
  /** What it prints, as the page shows it: `…` stands for anything; undefined if it shows nothing. */
  output?: string;
}

/** What begins a block of commands that is not marked as one. */
const PROGRAM = /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|git|curl|docker|archiefkast|archive-(?:api|cli)) /;

/**
 * The commands in the blocks of a page: the lines of a block marked `sh`, whose output may stand in a block without a mark right
 * after it; and in a block that begins with `$ `, each line with `$ `, with its output after it.
 *
 * @throws Error that names the line of a block of commands without a mark
 */
export function readCommands(page: string, markdown: string): Command[] {
  const commands: Command[] = [];
  let isAfterCommands = false;
  let end = 0;
  for (const { index, 0: whole, groups } of markdown.matchAll(/^```(?<mark>.*)\n(?<body>[\s\S]*?)^```$/gm)) {
    const { mark = '', body = '' } = groups ?? {};
    const line = markdown.slice(0, index).split('\n').length + 1;
    const isNext = isAfterCommands && markdown.slice(end, index).trim() === '';
    const last = commands.at(-1);
    end = index + whole.length;
    isAfterCommands = mark === 'sh';
    if (mark === 'sh') {
      const lines = body.trimEnd().split('\n');
      commands.push(...lines.map((text, at) => ({ page, line: line + at, text })));
    } else if (body.startsWith('$ ')) {
      commands.push(...session(page, line, body));
    } else if (mark === '' && isNext && last) {
      last.output = body.trim();
    } else if (mark === '' && PROGRAM.test(body)) {
      throw new Error(`${page}:${line}: expected the mark sh on a block of commands`);
    }
  }
  return commands;
}

function session(page: string, line: number, body: string): Command[] {
  const commands: Command[] = [];
  for (const [at, text] of body.trimEnd().split('\n').entries()) {
    const last = commands.at(-1);
    if (text.startsWith('$ ')) commands.push({ page, line: line + at, text: text.slice(2) });
    else if (last) last.output = last.output === undefined ? text : `${last.output}\n${text}`;
  }
  return commands;
}

/** A pattern of what is printed: a line of `…` stands for any lines, `…` in a line for anything there. */
export function patternOf(output: string): RegExp {
  const escaped = output.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/^…$/gm, '(?:.*\\n)*?.*').replaceAll('…', '.*')}$`);
}
