import type { Database } from '../storage/connect.ts';
import type { Edition } from '../storage/edition.ts';
import { listPictures } from './listed-pictures.ts';
import type { PictureFolder } from './picture-folder.ts';

/** The most missing pictures that are named. */
const MOST_NAMED = 20;

/** What a node lacks of the sizes and tiles that its edition lists. */
export interface MissingPictures {
  missing: number;
  /** The paths of the first ones in MEDIA_DIR. */
  first: string[];
}

/**
 * Creates the function that says which pictures of an edition a node lacks. The list of an edition is read in the background, once:
 * until then the function says what it said before.
 */
export function createMissingPictures(database: Database, folder: PictureFolder) {
  let edition: number | undefined;
  let hosted: ReadonlyMap<string, string> | undefined;

  const read = async (next: Edition) => {
    const paths = new Map<string, string>();
    for await (const { sha256, path } of listPictures(database, next)) if (path) paths.set(sha256, path);
    hosted = paths;
  };

  return (served: Edition | undefined): MissingPictures | undefined => {
    if (served && served.id !== edition) {
      edition = served.id;
      read(served).catch(() => {
        // Without the database nothing is known of it; the next question tries again.
        edition = undefined;
      });
    }
    if (!hosted) return undefined;
    const missing = [...hosted].filter(([sha256]) => !folder.has(sha256)).map(([, path]) => path);
    return { missing: missing.length, first: missing.slice(0, MOST_NAMED) };
  };
}
