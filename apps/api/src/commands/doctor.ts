import { defineCommand, flag, text } from '@archiefkast/command-line';
import { counted } from '@archiefkast/system';
import { isWebAddress } from '@archiefkast/types';
import { examine } from '../doctor/examine.ts';
import { examineNde } from '../doctor/examine-nde.ts';
import type { CommandContext } from './command.ts';

/** The mark of each level in the output. */
const MARKS = { fine: 'ok    ', advice: 'advice', fault: 'FAULT ' } as const;

/**
 * `archive-api doctor`: checks the public URL as a client would, and reports errors of a proxy; or by the requirements of a network.
 *
 * @throws Error if there are faults
 */
export const doctorCommand = defineCommand({
  options: (yargs) =>
    yargs
      .option('json', flag('Report as JSON'))
      .option('nde', text('Address of an archive to examine by the requirements of the Dutch network')),
  examples: [
    ['doctor', 'Checks BASE_URL as a client would'],
    ['doctor --json', 'Reports for a program'],
  ],
  async run(context: CommandContext, { json, nde }) {
    const { config, stdout } = context;
    if (nde !== undefined) return reportNde(context, nde, json);
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

/** Reports what an archive meets of the requirements of the Dutch Network Digital Heritage. @throws Error if it does not meet all */
async function reportNde({ config, stdout }: CommandContext, address: string, json: boolean): Promise<void> {
  if (!isWebAddress(address)) throw new Error(`--nde: expected the address of an archive, got "${address}"`);
  const baseUrl = address.replace(/\/+$/, '');
  const findings = await examineNde(baseUrl, config.datasetRegister);
  const unmet = findings.filter(({ level }) => level === 'not met').length;
  if (json) stdout.write(`${JSON.stringify({ base_url: baseUrl, unmet, findings }, undefined, 2)}\n`);
  else
    for (const { requirement, address, name, level, says } of findings)
      stdout.write(`${level.padEnd(7)}  ${requirement} ${name}: ${says}\n         ${address}\n`);
  if (unmet > 0) throw new Error(`${counted(unmet, 'requirement')} not met at ${baseUrl}`);
}
