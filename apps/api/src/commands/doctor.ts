import { examine } from '../doctor/examine.ts';
import type { CommandContext } from './command-context.ts';

/** The mark of each level in the output. */
const MARKS = { fine: 'ok    ', advice: 'advice', fault: 'FAULT ' } as const;

/** The public URL of the archive has faults. */
export class DoctorError extends Error {
  override name = 'DoctorError';
}

/**
 * `archive-api doctor`: checks the public URL as a client would, and reports errors of a proxy.
 *
 * @param json whether to report as JSON
 * @throws DoctorError if there are faults
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
