import { examine } from '../doctor/examine.ts';
import type { CommandContext } from './command-context.ts';

/** How each finding is marked for a reader. */
const MARKS = { fine: 'ok    ', advice: 'advice', fault: 'FAULT ' } as const;

/** What stands between clients and the archive is not in order. */
export class DoctorError extends Error {
  override name = 'DoctorError';
}

/**
 * `archive-api doctor`: walks the public address as a client does, and says in plain sentences what a proxy does wrong.
 *
 * @param json whether findings are written as JSON
 * @throws DoctorError when there is a fault
 */
export async function doctorCommand({ config, stdout }: CommandContext, json: boolean): Promise<void> {
  const findings = await examine(config.baseUrl);
  const faults = findings.filter(({ level }) => level === 'fault').length;
  if (json) {
    stdout.write(`${JSON.stringify({ base_url: config.baseUrl, faults, findings }, undefined, 2)}\n`);
  } else {
    for (const { level, check, says } of findings) stdout.write(`${MARKS[level]}  ${check}: ${says}\n`);
  }
  if (faults > 0)
    throw new DoctorError(`${faults === 1 ? '1 fault' : `${faults} faults`} at ${config.baseUrl}`);
}
