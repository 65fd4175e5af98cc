import { addressOfSize, imageServiceOf, sizesFor } from '@archiefkast/formats/image-service';
import type { RecordView } from '@archiefkast/formats/record-view';
import type { FileObject } from '@archiefkast/types';
import { type AssetName, assetPath } from './assets.ts';
import type { Page } from './page.ts';
import { addressOf } from './record.ts';

/** Width and height in pixels. */
interface Size {
  width: number;
  height: number;
}

/** The size of a picture of a record, as it is shown; undefined if it is not known. */
export function sizeOf({ sizes = [] }: RecordView, { uuid }: FileObject): Size | undefined {
  const { width, height } = sizes.find((size) => size.uuid === uuid) ?? {};
  return width && height ? { width, height } : undefined;
}

/** The longest side of the largest size that pages load, and of the one that they load where browsers do not choose. */
const LARGEST = 1_600;
const COMMON = 640;

/** The smaller sizes of a picture with their addresses, smallest first: of a small picture itself; none if there are none. */
function sourcesOf(page: Page, record: RecordView, file: FileObject) {
  const service = imageServiceOf(page.images, file, record.sizes);
  if (!service) return [];
  const [smallest, ...others] = sizesFor(service);
  const fitting = others.filter(({ width, height }) => Math.max(width, height) <= LARGEST);
  return [...(smallest ? [smallest] : []), ...fitting].map((size) => ({
    ...size,
    address: addressOfSize(service, size),
  }));
}

function commonOf<Source extends Size>(sources: readonly Source[]): Source | undefined {
  return sources.findLast(({ width, height }) => Math.max(width, height) <= COMMON) ?? sources[0];
}

/** The addresses of a picture as attributes of its element. @param widthOf how wide it is shown, as `sizes` has it */
export function pictureSource(
  page: Page,
  record: RecordView,
  file: FileObject,
  widthOf: (size: Size) => string,
): { src: string; srcset?: string; sizes?: string } {
  const sources = sourcesOf(page, record, file);
  const common = commonOf(sources);
  if (!common) return { src: page.linkToAddress(addressOf(file)) };
  const set = sources.map(({ address, width }) => `${page.linkToAddress(address)} ${width}w`);
  return { src: page.linkToAddress(common.address), srcset: set.join(', '), sizes: widthOf(common) };
}

/** The picture that stands for a page elsewhere, with its size if that is known: the largest of those that pages load. */
export function previewOf(
  page: Page,
  record: RecordView,
  file: FileObject,
): Partial<Size> & { address: string } {
  const largest = sourcesOf(page, record, file).at(-1);
  return largest ?? { address: addressOf(file), ...sizeOf(record, file) };
}

/** The largest of the sizes of a picture that pages load, or the picture itself, within a box; undefined if none is known to fit. */
export function pictureWithin(page: Page, record: RecordView, file: FileObject, box: Size) {
  const size = sizeOf(record, file);
  const own = size ? [{ ...size, address: addressOf(file) }] : [];
  const fits = ({ width, height }: Size) => width <= box.width && height <= box.height;
  return [...sourcesOf(page, record, file), ...own].findLast(fits);
}

/**
 * How wide the picture of a page is: as its column, and on a narrow screen half of it, because the screens of telephones have two or
 * three pixels in each, and a click shows more.
 */
const WIDTH = '(max-width: 57.99rem) 48vw, 20rem';

/** The box that is reserved for a picture of unknown size while it loads. */
const RESERVED: Size = { width: 480, height: 600 };

/** The words for those who do not see a picture. */
export function describe({ description, title, name: file }: FileObject, name: string): string {
  return description || title || file || name;
}

/** Who is to be named with a picture, and its rights; empty if it says nothing. */
export function creditOf({ alt, author, copyright }: FileObject): string {
  return [...new Set([alt, author, copyright])].filter(Boolean).join(' · ');
}

/** A picture with its caption, credit and rights, which a click shows large. Space is reserved while it loads: that of its size, if that is known. */
export function picture(page: Page, record: RecordView, file: FileObject, name: string, isLazy = false) {
  const caption = file.title || file.name;
  const { description } = file;
  const credit = creditOf(file);
  const size = sizeOf(record, file);
  const service = imageServiceOf(page.images, file, record.sizes)?.id;
  return (
    <figure class="picture">
      <a
        href={page.linkToAddress(addressOf(file))}
        {...(size && { 'data-width': size.width, 'data-height': size.height })}
        {...(service && { 'data-service': page.linkToAddress(service) })}
      >
        <img
          {...pictureSource(page, record, file, () => WIDTH)}
          alt={describe(file, name)}
          {...(size ?? RESERVED)}
          decoding="async"
          loading={isLazy ? 'lazy' : undefined}
        />
      </a>
      {(caption || description || credit) && (
        <figcaption>
          {caption && <span class="caption">{caption}</span>}{' '}
          {description && description !== caption && <span class="fact">{description}</span>}{' '}
          {credit && <small>{credit}</small>}
        </figcaption>
      )}
    </figure>
  );
}

/** Whether a record has pictures that its page can show large: those whose size is known. */
export function hasViewer({ sizes = [] }: RecordView): boolean {
  return sizes.length > 0;
}

/** The attributes of the element in which a click on a picture shows it large: its script, styles and texts. */
export function viewerOf(page: Page, record: RecordView): Readonly<Record<string, string>> {
  if (!hasViewer(record)) return {};
  const { t } = page;
  const asset = (name: AssetName) => page.linkToFile(assetPath(name));
  return {
    ...{ 'data-viewer': asset('viewer.js'), 'data-styles': asset('viewer.css'), 'data-close': t.close },
    ...{ 'data-zoom-in': t.zoomIn, 'data-zoom-out': t.zoomOut },
    ...{ 'data-previous': t.previousPicture, 'data-next': t.nextPicture },
  };
}
