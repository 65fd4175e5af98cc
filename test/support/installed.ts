import { inject } from 'vitest';

/** Where one of `TEST_PROGRAMS` is installed, as a list of one, or none: for `describe.each`. */
export function installed(name: string): string[] {
  const program = inject('programs')[name];
  return program === undefined ? [] : [program];
}
