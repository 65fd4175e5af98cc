import { type ArchiveServer, type ArchiveServerOptions, startArchive } from './archive-server.ts';
import { type Lifetime, temporaryFolder } from './temporary-folder.ts';

/** An archive and a folder that are there until the test ends, and the command that harvests one into the other. */
export interface Scene {
  archive: ArchiveServer;
  folder: string;
  command: string[];
}

/** @param args further arguments of the harvest */
export async function startScene(
  context: Lifetime,
  options: ArchiveServerOptions = {},
  args: readonly string[] = [],
): Promise<Scene> {
  const archive = await startArchive(options);
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  return { archive, folder, command: ['harvest', '--base-url', archive.url, '--out', folder, ...args] };
}
