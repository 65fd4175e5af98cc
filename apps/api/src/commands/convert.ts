import { checkBundle } from '../bundle/check-bundle.ts';
import { withBundle } from '../bundle/open-bundle.ts';
import { type BundleForm, isWorkbook, writeBundle } from '../bundle/write-bundle.ts';
import type { CommandContext } from './command-context.ts';

/**
 * `archive-api convert <in> <out>`: writes a bundle in another form. An `out` that ends in .xlsx is a workbook; a
 * folder gets tables, or JSON lines.
 *
 * @throws BundleError when the bundle has faults; Error when the folder is not empty
 */
export async function convertCommand(
  { stdout }: Pick<CommandContext, 'stdout'>,
  input: string,
  output: string,
  form: BundleForm,
): Promise<void> {
  await withBundle(input, async (opened) => {
    await writeBundle(await checkBundle(opened), output, isWorkbook(output) ? 'tables' : form);
  });
  stdout.write(`${output}\n`);
}
