import { realpath } from 'node:fs/promises';
import { defineCommand } from '@archiefkast/command-line';
import { counted, createProgressLine } from '@archiefkast/system';
import type { CommandContext } from '../commands/command.ts';
import { leaseWait } from '../commands/publish.ts';
import { ConfigError } from '../config.ts';
import { listEditions } from '../storage/edition.ts';
import { withLease } from '../storage/lease.ts';
import { withDatabase } from '../storage/open-database.ts';
import { listKeptPictures, listPictures } from './listed-pictures.ts';
import { openPictureFolder } from './picture-folder.ts';
import { describeRefused } from './picture-maker.ts';

/**
 * `archive-api pictures`: makes the sizes and tiles of pictures that the kept editions list and this node lacks, and deletes those
 * that no kept edition lists. Stopped at any moment, it goes on where it was.
 *
 * @throws ConfigError if PICTURES_DIR or MEDIA_DIR is off, or sharp is not installed; WriteError; the signal's reason
 */
export const picturesCommand = defineCommand({
  examples: [
    ['pictures', 'Makes what this node lacks, from MEDIA_DIR'],
    ['pictures && $0 editions', 'Also lists the editions that have them'],
  ],
  async run({ config, stdout, stderr, signal }: CommandContext) {
    const { mediaFolder } = config;
    const media = mediaFolder && (await realpath(mediaFolder).catch(() => mediaFolder));
    const progress = createProgressLine(stderr);
    const faults: string[] = [];
    const folder = openPictureFolder(config, media, (path, reason) =>
      faults.push(describeRefused(path, reason)),
    );
    if (!folder || !media)
      throw new ConfigError(`${folder ? 'MEDIA_DIR' : 'PICTURES_DIR'}: expected a folder, got "off"`);
    await withDatabase(config, async (database) => {
      const wanted = new Map<string, string>();
      for (const edition of await listEditions(database))
        for await (const { sha256, path } of listPictures(database, edition))
          if (path && !folder.has(sha256)) wanted.set(sha256, path);
      let made = 0;
      for (const [sha256, path] of wanted) {
        signal.throwIfAborted();
        progress.show(() => `making sizes of picture ${made} of ${wanted.size}`);
        const found = await folder.make(path);
        if (found?.sha256 === sha256) made += 1;
        else if (!faults.some((fault) => fault.startsWith(`${path}: `)))
          faults.push(`${path}: ${found ? 'MEDIA_DIR has another file' : 'MEDIA_DIR does not have it'}\n`);
      }
      progress.clear();
      stderr.write(faults.join(''));
      const options = { signal, onWait: (seconds: number) => stderr.write(leaseWait(seconds)) };
      const deleted = await withLease(database, options, async () =>
        folder.sweep(await listKeptPictures(database)),
      );
      stdout.write(
        `${counted(wanted.size, 'picture')} lacking: made ${made}, not made ${wanted.size - made}; deleted ${deleted}.\n`,
      );
      if (made < wanted.size) throw new Error('not every picture that an edition lists has its sizes here');
    });
  },
});
