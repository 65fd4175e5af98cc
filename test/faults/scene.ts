import { temporaryFolder } from '../support/temporary-folder.ts';
import { type ArchiveServer, type ArchiveServerOptions, startArchive } from './archive-server.ts';

/** An archive and a folder that are there until the tests of this file end, and the command that harvests one into the other. */
export interface Scene {
  archive: ArchiveServer;
  folder: string;
  command: string[];
}

/** @param args further arguments of the harvest */
export async function startScene(
  options: ArchiveServerOptions = {},
  args: readonly string[] = [],
): Promise<Scene> {
  const archive = await startArchive(options);
  const folder = await temporaryFolder();
  return { archive, folder, command: ['harvest', '--base-url', archive.url, '--out', folder, ...args] };
}
