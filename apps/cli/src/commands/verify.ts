import { join } from 'node:path';
import { FolderError, JOURNAL_FOLDER, readWalkFile } from '@archive/client/node';
import { COLLECTIONS } from '@archive/types';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Proof, readProof } from '../proof/proof-file.ts';
import { verifyFolder } from '../proof/verify-folder.ts';
import { counted } from '../terminal/numbers.ts';
import type { CommandContext } from './command-context.ts';

/** `archive-cli verify <folder>`: checks a harvest against its proof, without asking the server. */
export async function verifyCommand({ stdout, stderr }: CommandContext, folder: string): Promise<ExitCode> {
  const proof = await readProof(folder);
  if (!proof) {
    if (!(await readWalkFile(join(folder, JOURNAL_FOLDER))))
      throw new FolderError(`${folder} holds no harvest`);
    stderr.write(
      `archive-cli: ${folder} holds a harvest that is not finished; the harvest command finishes it\n`,
    );
    return EXIT.incomplete;
  }
  const { problems, unchecked, references } = await verifyFolder(folder, proof);
  for (const problem of problems) stderr.write(`archive-cli: ${problem}\n`);
  if (problems.length > 0) return EXIT.failed;

  stdout.write(
    describe(proof)
      .map((line) => `${line}\n`)
      .join(''),
  );
  stdout.write(`${counted(references, 'reference')} resolved\n`);
  for (const kind of unchecked) {
    stdout.write(`references to ${COLLECTIONS[kind]} were not checked: they were not harvested\n`);
  }
  if (proof.complete) return EXIT.done;
  stderr.write('archive-cli: the files are as they were written, but the archive moved while they were\n');
  return EXIT.moved;
}

function describe({ kinds, files }: Proof): string[] {
  return [
    ...kinds.map(
      ({ kind, rows, count, pages }) =>
        `${COLLECTIONS[kind]}: ${counted(rows, 'record')} of ${count} promised, ${counted(pages, 'page')}`,
    ),
    `${counted(files.length, 'file')} as written`,
  ];
}
