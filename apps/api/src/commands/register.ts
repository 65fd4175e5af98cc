import { defineCommand, flag } from '@archiefkast/command-line';
import { isRegistered, submitDataset } from '../doctor/dataset-register.ts';
import type { CommandContext } from './command.ts';

/** What the register means by a status other than 202, and what to do. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'finds the description invalid; the command check says what archive.json lacks',
  403: 'has not admitted the domain. Ask the register to admit it, once',
  404: 'cannot read the address. It has to be public, and BASE_URL its address',
  406: 'finds no dataset at the address. Is BASE_URL the address of this archive?',
};

/**
 * `archive-api register`: submits the address of the description of the archive to the register of datasets, or asks whether it
 * has it.
 *
 * @throws Error if the register does not accept it or does not know it
 */
export const registerCommand = defineCommand({
  options: (yargs) => yargs.option('check', flag('Only ask whether the register knows the archive')),
  examples: [
    ['register', 'Submits BASE_URL/dataset to the register of datasets'],
    ['register --check', 'Asks whether the register knows it'],
  ],
  async run({ config, stdout, stderr }: CommandContext, { check }) {
    const { baseUrl, datasetRegister: register } = config;
    const address = `${baseUrl}/dataset`;
    if (check) {
      if (!(await isRegistered(register, address))) throw new Error(`${register} does not know ${address}`);
      stdout.write(`${register} knows ${address}.\n`);
      return;
    }
    const { status, messages } = await submitDataset(register, address);
    for (const message of messages) stderr.write(`  ${message}\n`);
    const refusal = REFUSALS[status] ?? `answers ${status}; expected 202`;
    if (status !== 202) throw new Error(`${address} is not registered: ${register} ${refusal}`);
    stdout.write(`${register} has accepted ${address}, and reads it from now on.\n`);
  },
});
