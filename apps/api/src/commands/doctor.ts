import { defineCommand, flag } from '@archiefkast/command-line';
import { counted } from '@archiefkast/system';
import { examine } from '../doctor/examine.ts';
import type { CommandContext } from './command.ts';

/** The mark of each level in the output. */
const MARKS = { fine: 'ok    ', advice: 'advice', fault: 'FAULT ' } as const;

/**
 * `archive-api doctor`: checks the public URL as a client would, and reports errors of a proxy.
 *
 * @throws Error if there are faults
 */
export const doctorCommand = defineCommand({
  options: (yargs) => yargs.option('json', flag('Report as JSON')),
  examples: [
    ['doctor', 'Checks BASE_URL as a client would'],
    ['doctor --json', 'Reports for a program'],
  ],
  async run({ config, stdout }: CommandContext, { json }) {
    const findings = await examine(config.baseUrl);
    const faults = findings.filter(({ level }) => level === 'fault').length;
    if (json) {
      stdout.write(`${JSON.stringify({ base_url: config.baseUrl, faults, findings }, undefined, 2)}\n`);
    } else {
      for (const { level, check, says } of findings) stdout.write(`${MARKS[level]}  ${check}: ${says}\n`);
    }
    if (faults > 0) throw new Error(`${counted(faults, 'fault')} at ${config.baseUrl}`);
  },
});
