import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { coverageByRoom, coverageTable, lostCoverage } from './rooms.ts';

const USAGE = `usage: npm run coverage -- [FILE...] [options]

Runs the tests in test/, or some files of them, and prints what they cover of each workspace as built: in the programs that
they start, and in their own processes.

  --check   fails if the branches of a room are covered by more than a point less than test/coverage.json says
  --write   writes test/coverage.json
`;

const ROOT = resolve(import.meta.dirname, '../..');
const KEPT = join(ROOT, 'test/coverage.json');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else process.exitCode = measure();

/** @returns the exit code */
function measure(): number {
  const folder = mkdtempSync(join(tmpdir(), 'archive-coverage-'));
  try {
    const v8 = join(folder, 'v8');
    // With code from the cache, V8 counts less exactly.
    const env = { ...process.env, NODE_V8_COVERAGE: v8, NODE_DISABLE_COMPILE_CACHE: '1' };
    const tested = run(
      [
        'vitest/vitest.mjs',
        'run',
        '--config',
        'test/coverage/vitest-config.ts',
        '--project=test',
        ...positionals,
      ],
      env,
    );
    const built = ['--include=apps/*/dist/**/*.js', '--include=packages/*/dist/**/*.js', '--all'];
    const output = [
      '--reporter=json-summary',
      `--reports-dir=${folder}`,
      `--temp-directory=${v8}`,
      '--merge-async',
    ];
    if (run(['c8/bin/c8.js', 'report', ...built, ...output], process.env) !== 0) return 1;
    const coverage = coverageByRoom(JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8')));
    process.stdout.write(`\n${coverageTable(coverage)}`);
    if (values.write) writeFileSync(KEPT, `${JSON.stringify(coverage, null, 2)}\n`);
    const lost = values.check ? lostCoverage(JSON.parse(readFileSync(KEPT, 'utf8')), coverage) : [];
    process.stdout.write(lost.map((sentence) => `${sentence}\n`).join(''));
    return tested === 0 && lost.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program of node_modules, with its output. @returns its exit code */
function run([program = '', ...rest]: readonly string[], env: NodeJS.ProcessEnv): number {
  const file = join(ROOT, 'node_modules', program);
  const { status } = spawnSync(process.execPath, ['--max-old-space-size=8192', file, ...rest], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  return status ?? 1;
}
