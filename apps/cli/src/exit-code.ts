import { EXIT as ALWAYS } from '@archiefkast/system';

export const EXIT = {
  ...ALWAYS,
  /** Finished, but the archive changed during the harvest. */
  moved: 3,
  /** Incomplete; the same command resumes. */
  incomplete: 4,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit codes as `--help` prints them. */
export const EXIT_CODE_HELP = [
  'Exit codes:',
  '  0    success',
  '  1    failed',
  '  2    invalid arguments',
  '  3    finished, but the archive changed during the harvest',
  '  4    incomplete: run the same command again to resume',
  '  130  interrupted by Ctrl-C: run the same command again to resume',
  '  143  stopped by SIGTERM: run the same command again to resume',
].join('\n');
