import { EXIT as ALWAYS } from '@archiefkast/system/command-line';

/** What the exit codes of archive-cli mean. */
export const EXIT = {
  ...ALWAYS,
  /** Finished, but the archive moved meanwhile. */
  moved: 3,
  /** Incomplete; the same command goes on. */
  incomplete: 4,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const;

/** An exit code of archive-cli. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit codes as `--help` and the documentation show them. */
export const EXIT_CODE_HELP = [
  'Exit codes:',
  '  0    done, and complete',
  '  1    failed',
  '  2    wrong use',
  '  3    finished, but the archive moved meanwhile',
  '  4    incomplete: the same command goes on',
  '  130  interrupted: the same command goes on',
].join('\n');
