import type { PageContext } from '../layout/page-context.ts';
import { tileOrigins } from '../map/map-tiles.ts';
import type { PageRecord } from './page-record.ts';
import { addressOf } from './picture.tsx';

/** The origins elsewhere from which a page shows pictures: its record's, the logo, and the tiles of maps. */
export function pictureOrigins({ baseUrl, logo, tiles }: PageContext, record?: PageRecord): string[] {
  const { image, main_image: main, files = [] } = record ?? {};
  const addresses = [image, main, ...files].flatMap((file) => (file ? [addressOf(file)] : []));
  // Pages lead to what is below the base URL by relative addresses: it is their own.
  const elsewhere = [...addresses, logo ?? ''].filter((address) => !address.startsWith(`${baseUrl}/`));
  const origins = elsewhere.map((address) => URL.parse(address)?.origin ?? 'null');
  return [...new Set([...origins.filter((origin) => origin !== 'null'), ...tileOrigins(tiles)])];
}
