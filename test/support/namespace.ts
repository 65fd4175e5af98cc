import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ARCHIVE_API, BARE_ENVIRONMENT, type Settings } from './api-process.ts';

/** Runs a command with its own mounts, which end with it. */
const APART = ['unshare', '--map-root-user', '--mount'];

/** A command line that runs a command with a read-only folder. */
export function withReadOnly(folder: string): string[] {
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  return [...APART, 'sh', '-c', script, folder];
}

/**
 * Runs a shell script in which `$disk` is a separate disk of `megabytes` MB, and `archive_api` the program.
 *
 * @returns its output on both streams
 */
export async function runOnDisk(
  disk: { folder: string; megabytes: number },
  settings: Settings,
  script: string,
): Promise<string> {
  const whole = [
    `mount -t tmpfs -o size=${disk.megabytes}m none "$disk"`,
    'archive_api() { "$node" "$program" "$@"; }',
    'exec 2>&1',
    script,
  ].join('\n');
  const programs = { node: process.execPath, program: ARCHIVE_API };
  const env = { ...BARE_ENVIRONMENT, ...settings, ...programs, disk: disk.folder };
  const [program = '', ...rest] = [...APART, 'sh', '-c', whole];
  const { stdout } = await promisify(execFile)(program, rest, { env });
  return stdout;
}
