// Shows the pictures of a record large, one after another, with Leaflet over their tiles (IIIF Image API 3, level 0).
/*! Leaflet: BSD-2-Clause, © Volodymyr Agafonkin. */

import L from 'leaflet';
import { addStyles } from './add-styles.ts';

const TILE = 512;

/** How much larger than its pixels a picture can be shown, in steps of two. */
const BEYOND = 1;

/** Opens a dialog with the picture of a link, and those before and after it on the page. */
export async function showPictures(page: HTMLElement, first: HTMLAnchorElement): Promise<void> {
  const { styles = '', close = '', previous = '', next = '' } = page.dataset;
  await addStyles(styles);
  const links = [...page.querySelectorAll<HTMLAnchorElement>('a[data-width]')];
  const dialog = document.createElement('dialog');
  dialog.className = 'viewer';
  const words = document.createElement('p');
  const count = document.createElement('span');
  const button = (sign: string, title: string, act: () => void) => {
    const made = Object.assign(document.createElement('button'), {
      type: 'button',
      textContent: sign,
      title,
    });
    made.setAttribute('aria-label', title);
    made.addEventListener('click', act);
    return made;
  };
  let at = links.indexOf(first);
  let map: L.Map | undefined;
  const show = (step: number) => {
    at = (at + step + links.length) % links.length;
    const link = links[at];
    if (!link) return;
    takeAway(map);
    map = drawPicture(dialog, link, page.dataset);
    const caption = link.closest('figure')?.querySelector('figcaption')?.cloneNode(true);
    words.replaceChildren(...(caption?.childNodes ?? []));
    dialog.setAttribute('aria-label', link.querySelector('img')?.alt ?? '');
    count.textContent = `${at + 1} / ${links.length}`;
  };
  const turn =
    links.length > 1 ? [button('←', previous, () => show(-1)), count, button('→', next, () => show(1))] : [];
  const bar = document.createElement('div');
  bar.append(
    words,
    ...turn,
    button('×', close, () => dialog.close()),
  );
  dialog.append(bar);
  dialog.addEventListener('close', () => {
    takeAway(map);
    dialog.remove();
    links[at]?.focus();
  });
  page.append(dialog);
  dialog.showModal();
  show(0);
  map?.getContainer().focus();
}

/** Takes a picture away: from the page at once, from memory after the 250 ms in which Leaflet ends a zoom that began. */
function takeAway(map: L.Map | undefined): void {
  map?.getContainer().remove();
  setTimeout(() => map?.remove(), 300);
}

/** Draws a picture at the start of a dialog: its tiles, or the file itself if it has none. */
function drawPicture(dialog: HTMLElement, link: HTMLAnchorElement, texts: DOMStringMap): L.Map {
  const { service, width: w, height: h } = link.dataset;
  const [width, height] = [Number(w), Number(h)];
  const deepest = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / TILE)));
  const moves = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const place = document.createElement('div');
  dialog.prepend(place);
  const map = L.map(place, {
    crs: L.CRS.Simple,
    ...{ zoomControl: false, attributionControl: false, zoomSnap: 0, maxZoom: deepest + BEYOND },
    ...{ zoomAnimation: moves, fadeAnimation: moves, inertia: moves },
  });
  L.control.zoom({ zoomInTitle: texts['zoomIn'] ?? '', zoomOutTitle: texts['zoomOut'] ?? '' }).addTo(map);
  const bounds = L.latLngBounds(map.unproject([0, height], deepest), map.unproject([width, 0], deepest));
  map
    .setMinZoom(Math.min(map.getBoundsZoom(bounds), deepest))
    .setMaxBounds(bounds.pad(0.5))
    .fitBounds(bounds);
  if (service) tilesOf(service, { width, height }, deepest, bounds).addTo(map);
  else L.imageOverlay(link.href, bounds).addTo(map);
  return map;
}

/** The tiles of a picture: each by its region and its size, without what is beyond the edge. */
function tilesOf(
  service: string,
  { width, height }: { width: number; height: number },
  deepest: number,
  bounds: L.LatLngBounds,
): L.TileLayer {
  const layer = L.tileLayer('', {
    bounds,
    tileSize: TILE,
    maxNativeZoom: deepest,
    maxZoom: deepest + BEYOND,
    noWrap: true,
  });
  const pieceAt = ({ x, y, z }: L.Coords) => {
    const factor = 2 ** (deepest - z);
    const [left, top] = [x * TILE * factor, y * TILE * factor];
    const [across, down] = [Math.min(TILE * factor, width - left), Math.min(TILE * factor, height - top)];
    const size = [Math.ceil(across / factor), Math.ceil(down / factor)] as const;
    return { factor, region: [left, top, across, down], size };
  };
  layer.getTileUrl = (coords) => {
    const { factor, region, size } = pieceAt(coords);
    const isWhole = region[2] === width && region[3] === height;
    const name = isWhole && factor === 1 ? 'max' : size.join(',');
    return `${service}/${isWhole ? 'full' : region.join(',')}/${name}/0/default.jpg`;
  };
  layer.on('tileload', ({ tile, coords }) => {
    const [across, down] = pieceAt(coords).size;
    Object.assign(tile.style, { width: `${across}px`, height: `${down}px` });
  });
  return layer;
}
