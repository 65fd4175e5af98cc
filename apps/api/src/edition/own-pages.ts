import type { ArchiveDescription } from '@archiefkast/bundle';
import { mediaAddress } from '@archiefkast/bundle/media-path';
import { withImages } from '@archiefkast/formats/markdown-page';

/** The pages of an archive itself, with the addresses of their hosted pictures. */
export function withPictureAddresses(pages: NonNullable<ArchiveDescription['pages']>, baseUrl: string) {
  const absolute = (ofLanguage: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(ofLanguage).map(([name, page]) => [
        name,
        withImages(page, (image) => mediaAddress(baseUrl, image)),
      ]),
    );
  return { nl: absolute(pages.nl), en: absolute(pages.en) };
}
