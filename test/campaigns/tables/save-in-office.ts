import { execFile } from 'node:child_process';
import { join, parse } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Opens a file in LibreOffice and saves it as a workbook, in a separate folder.
 *
 * @param filter how a CSV file is read
 */
export async function savedByLibreOffice(file: string, filter?: string): Promise<string> {
  const folder = await temporaryFolder();
  await promisify(execFile)('soffice', [
    '--headless',
    `-env:UserInstallation=file://${folder}/profile`,
    ...(filter === undefined ? [] : [`--infilter=${filter}`]),
    ...['--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', folder, file],
  ]);
  return join(folder, `${parse(file).name}.xlsx`);
}
