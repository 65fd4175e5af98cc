import { ArchiveError } from '@archiefkast/client';
import { printable } from '@archiefkast/system/printable';
import type { ArchiveRecord } from '@archiefkast/types';
import type { CommandContext } from './command-context.ts';

/**
 * Opens a record's public page, and prints its address.
 *
 * @throws ArchiveError when the server names something that is no page
 */
export async function openRecordPage(
  { stdout, openPage }: CommandContext,
  { url }: ArchiveRecord,
): Promise<void> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new ArchiveError(`the record names ${url} as its page, which is no address of a web page`);
  }
  stdout.write(`${printable(url)}\n`);
  await openPage(url);
}
