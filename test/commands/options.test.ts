import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { ARCHIVE_CLI } from '../faults/run-cli.ts';
import { runHere } from '../faults/run-here.ts';
import { runApiHere } from '../support/api-here.ts';
import { ARCHIVE_API, BARE_ENVIRONMENT } from '../support/api-process.ts';
import { SAMPLE } from '../support/sample.ts';

const PROGRAMS = { 'archive-api': runApiHere, 'archive-cli': runHere };

/** An option as `--help` lists it. */
type Option = { name: string; isFlag: boolean; isList: boolean };

describe.each(Object.entries(PROGRAMS))('%s', (name, run) => {
  /** Of each command, valid arguments without options, and its options. */
  const commands: { line: string[]; options: Option[] }[] = [];
  beforeAll(async () => {
    const { stdout } = await run(['--help']);
    for (const [, command = '', rest = ''] of stdout.matchAll(
      RegExp(`^ {2}${name} (\\w+) ?(\\S*(?: [<[]\\S+)*)`, 'gm'),
    )) {
      const help = (await run([command, '-h'])).stdout;
      const found = help.matchAll(/^ +(?:-\w, )?--([\w-]+)((?:.|\n(?! +-))*)/gm);
      const options = [...found].map(([, option = '', about = '']) => ({
        name: option,
        isFlag: about.includes('[boolean]'),
        isList: about.includes('[array]'),
      }));
      const line = [
        command,
        ...(rest.match(/<[^>]+>/g) ?? []).map((argument) => (argument === '<kind>' ? 'person' : '1')),
      ];
      commands.push({ line, options });
    }
  });

  test('refuses options without a value, repeated ones, and values of flags, in one line', async () => {
    let tried = 0;
    for (const { line, options } of commands) {
      for (const { name: option, isFlag, isList } of options.filter(
        ({ name: one }) => one !== 'version' && one !== 'help',
      )) {
        const wrong = isFlag
          ? [[`--${option}=perhaps`], [`--${option}`, `--${option}`], [`--no-${option}`]]
          : [
              [`--${option}`],
              [`--${option}=`],
              [`--${option}`, '--other'],
              ...(isList ? [] : [[`--${option}=1`, `--${option}=1`]]),
            ];
        for (const words of wrong) {
          const { code, stdout, stderr } = await run([...line, ...words]);
          expect({ code, stdout, stderr }, [...line, ...words].join(' ')).toEqual({
            code: 2,
            stdout: '',
            stderr: expect.stringMatching(RegExp(`^${name}: .*${option}.* \\(see ${name} --help\\)\\n$`)),
          });
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(40);
  });
});

/** Runs a program whose stdout is a full disk, or has no reader. */
async function runInto(stdout: 'full' | 'closed', file: string, args: readonly string[]) {
  await using full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [file, ...args], {
    env: BARE_ENVIRONMENT,
    stdio: ['ignore', stdout === 'full' ? full.fd : 'pipe', 'pipe'],
  });
  child.stdout?.destroy();
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr ?? process.stdin)]);
  return { code, stderr };
}

test.each([
  ['archive-api', ARCHIVE_API, ['check', SAMPLE]],
  ['archive-api', ARCHIVE_API, ['--help']],
  ['archive-cli', ARCHIVE_CLI, ['stats', SAMPLE]],
  ['archive-cli', ARCHIVE_CLI, ['--help']],
])('%s says in one line that stdout is full, and nothing that it is closed', async (name, file, args) => {
  const line = `${name}: stdout cannot be written (ENOSPC: no space left on device, write)\n`;
  expect(await runInto('full', file, args)).toEqual({ code: 1, stderr: line });
  expect(await runInto('closed', file, args)).toEqual({ code: 0, stderr: '' });
});
