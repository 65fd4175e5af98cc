import { checkBundle } from '../publish/bundle/check-bundle.ts';
import { type OpenBundle, withBundle } from '../publish/bundle/open-bundle.ts';
import { type BundleForm, isWorkbook, writeBundle } from '../publish/bundle/write-bundle.ts';
import type { CommandContext } from './command-context.ts';

/**
 * `archive-api convert <in> <out>`: writes a bundle in another form. An `out` that ends in .xlsx is a workbook; a
 * folder gets tables, or JSON lines.
 *
 * @throws BundleError when the bundle has faults; Error when the folder is not empty; the signal's reason
 */
export async function convertCommand(
  { stdout, signal }: Pick<CommandContext, 'stdout' | 'signal'>,
  input: string,
  output: string,
  form: BundleForm,
): Promise<void> {
  await convertBundle(input, output, form, signal);
  stdout.write(`${output}\n`);
}

/** Reads, checks and writes a bundle, until the signal. @throws as `convertCommand` does */
export async function convertBundle(
  input: string,
  output: string,
  form: BundleForm,
  signal: AbortSignal,
): Promise<void> {
  const onRecord = () => signal.throwIfAborted();
  const work = async (opened: OpenBundle) => {
    const bundle = await checkBundle(opened, onRecord);
    await writeBundle(bundle, output, isWorkbook(output) ? 'tables' : form, onRecord);
  };
  await withBundle(input, work, onRecord);
}
