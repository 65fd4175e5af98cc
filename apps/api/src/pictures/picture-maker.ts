import type { Config } from '../config.ts';
import type { PictureMaker } from '../publish/publish.ts';
import type { Database } from '../storage/connect.ts';
import { listKeptPictures } from './listed-pictures.ts';
import { openPictureFolder } from './picture-folder.ts';

/** What makes sizes of pictures for a publish; undefined if PICTURES_DIR is off. */
export function createPictureMaker(
  database: Database,
  config: Config,
  media: string | null | undefined,
  onRefused: (line: string) => void,
): PictureMaker | undefined {
  const folder = openPictureFolder(config, media, (path, reason) => onRefused(describeRefused(path, reason)));
  return (
    folder && {
      ...folder,
      sweep: async () => void (await folder.sweep(await listKeptPictures(database))),
    }
  );
}

/** A line about a picture of which no sizes are made. */
export function describeRefused(path: string, reason: string): string {
  return `${path}: no smaller sizes are made of this picture: ${reason}\n`;
}
