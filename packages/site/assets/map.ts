// Draws the places of a page with Leaflet, in clusters, over the outline of the land or over tiles.
/*! Leaflet: BSD-2-Clause, © Volodymyr Agafonkin. supercluster and kdbush: ISC, © Mapbox. */

import L from 'leaflet';
import Supercluster, { type ClusterFeature, type PointFeature } from 'supercluster';
import { addStyles } from './add-styles.ts';

const CLUSTER_PIXELS = 80;
const DEEPEST = { land: 14, tiles: 19 };
const NEAREST = { land: 9, tiles: 16 };
/** With more places than this, the map opens without those that are far from the others. */
const FEW = 20;
/** The least extent of the middle half of the places, in degrees: most of them may be in one town. */
const LEAST_EXTENT = 0.3;
/** The outline of the land is given in fractions of a degree: this many per degree. */
const PARTS = 50;
/** How far the land is cut off around the view, in parts of it: a little further than Leaflet draws it. */
const AROUND = 0.2;

/** What a place shows: its name, and the content of its popup. */
interface Place {
  /** Its number on the page; empty if it has none. */
  label: string;
  /** Its number on this map: features that are found are not the ones that were given, and have their properties. */
  number: number;
  name: string;
  content(): readonly (Node | string)[];
}

type Point = PointFeature<Place>;
type Found = Point | ClusterFeature<Place>;

/** Draws the map of a page into its element. */
export async function drawMap(element: HTMLElement): Promise<void> {
  const { source, land, tiles, styles = '', zoomIn = '', zoomOut = '', credit = '' } = element.dataset;
  const [points, outline] = await Promise.all([
    source ? readPoints(source) : findPoints(),
    land ? fetchJson<number[][][]>(land) : undefined,
    addStyles(styles),
  ]);
  const moves = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const deepest = tiles ? DEEPEST.tiles : DEEPEST.land;
  const map = L.map(element, {
    zoomControl: false,
    minZoom: 1,
    maxZoom: deepest,
    maxBounds: L.latLngBounds([-85, -190], [85, 190]),
    zoomAnimation: moves,
    fadeAnimation: moves,
    markerZoomAnimation: moves,
    inertia: moves,
    // The wheel scrolls the page, until the map has the focus.
    scrollWheelZoom: false,
  });
  map.on('focus', () => map.scrollWheelZoom.enable());
  map.on('blur', () => map.scrollWheelZoom.disable());
  // Leaflet listens to keys on the map only, not to those inside its popups.
  element.addEventListener('keydown', ({ key }) => key === 'Escape' && map.closePopup());
  L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  map.attributionControl.setPrefix('<a href="https://leafletjs.com/">Leaflet</a>').addAttribution(credit);
  if (tiles) L.tileLayer(tiles, { maxZoom: deepest, referrerPolicy: 'origin' }).addTo(map);
  const maxZoom = tiles ? NEAREST.tiles : NEAREST.land;
  map.fitBounds(openingBounds(points), { maxZoom, padding: [36, 36], animate: false });
  if (outline) showLand(map, outline);
  showPoints(map, points, deepest, element.dataset);
  element.classList.add('drawn');
}

function findPoints(): Point[] {
  return [...document.querySelectorAll<HTMLElement>('[data-latitude]')].map((item, number) => {
    const { longitude, latitude, name, number: label = '' } = item.dataset;
    const link = item.querySelector('a');
    const shown = [link, ...item.querySelectorAll('.fact')].filter((part) => part !== null);
    return pointAt([Number(longitude), Number(latitude)], number, {
      label,
      name: `${label} ${name ?? link?.textContent ?? ''}`,
      content: () => shown.map((part) => part.cloneNode(true)),
    });
  });
}

/** A file of locations in GeoJSON, as the archive serves it. */
interface LocationFile {
  features: {
    geometry: { coordinates: [number, number] } | null;
    properties: { name: string; url: string };
  }[];
}

/** The places of a GeoJSON file, with the name and page address of each. */
async function readPoints(source: string): Promise<Point[]> {
  const { features } = await fetchJson<LocationFile>(source);
  const edition = new URL(source, location.href).searchParams.get('edition');
  return features.flatMap(({ geometry, properties: { name, url } }, number) => {
    if (!geometry) return [];
    const content = () => {
      const link = document.createElement('a');
      link.href = edition ? `${url}?edition=${edition}` : url;
      link.textContent = name;
      return [link];
    };
    return [pointAt(geometry.coordinates, number, { name, content, label: '' })];
  });
}

function pointAt(
  coordinates: [number, number],
  number: number,
  { name, content, label }: Omit<Place, 'number'>,
): Point {
  const properties = { number, name: name.trim(), content, label };
  return { type: 'Feature', geometry: { type: 'Point', coordinates }, properties };
}

/** Shows markers for the current view: places, and clusters of places that would overlap. */
function showPoints(map: L.Map, points: readonly Point[], deepest: number, texts: DOMStringMap): void {
  const index = new Supercluster<Place, Place>({ radius: CLUSTER_PIXELS, maxZoom: deepest - 1 });
  index.load([...points]);
  const markers = new Map<string, L.Marker>();
  const keyOf = (one: Found) =>
    isCluster(one) ? `cluster ${one.properties.cluster_id}` : `place ${one.properties.number}`;
  const show = () => {
    const view = map.getBounds().pad(0.3);
    const box: [number, number, number, number] = [
      view.getWest(),
      view.getSouth(),
      view.getEast(),
      view.getNorth(),
    ];
    const found = new Map(index.getClusters(box, Math.round(map.getZoom())).map((one) => [keyOf(one), one]));
    const hadFocus = document.activeElement?.closest('.leaflet-marker-pane');
    for (const [key, marker] of markers) {
      if (found.has(key)) continue;
      marker.remove();
      markers.delete(key);
    }
    for (const [key, one] of found) {
      if (!markers.has(key)) markers.set(key, addMarker(map, index, one, texts));
    }
    // If the focused marker was removed, the map gets the focus instead of the page.
    if (hadFocus && document.activeElement === document.body)
      map.getContainer().focus({ preventScroll: true });
  };
  map.on('moveend', show);
  show();
}

function isCluster(one: Found): one is ClusterFeature<Place> {
  return 'cluster' in one.properties;
}

function addMarker(map: L.Map, index: Supercluster<Place, Place>, one: Found, texts: DOMStringMap): L.Marker {
  const leaves = isCluster(one)
    ? () => index.getLeaves(one.properties.cluster_id, Number.POSITIVE_INFINITY)
    : () => [one];
  const [className, count, name, label] = isCluster(one)
    ? ['cluster', one.properties.point_count, `${one.properties.point_count} ${texts['places']}`]
    : ['place', 0, one.properties.name, one.properties.label];
  const size = count > 0 ? Math.min(52, 26 + 6 * Math.log2(count)) : 24;
  const icon = L.divIcon({ className, iconSize: [size, size], html: `<span>${count || label}</span>` });
  const marker = L.marker(pointOf(one), { icon, title: name, riseOnHover: true, zIndexOffset: count });
  const element = marker.addTo(map).getElement();
  element?.setAttribute('aria-label', name);
  marker.bindPopup(() => popupOf(leaves()), { offset: [0, -size / 4], maxWidth: 240, maxHeight: 220 });
  marker.on('popupopen', ({ popup }) => {
    const box = popup.getElement();
    box?.querySelector('.leaflet-popup-close-button')?.setAttribute('aria-label', texts['close'] ?? '');
    box?.querySelector<HTMLElement>('a[href]')?.focus({ preventScroll: true });
  });
  marker.on('popupclose', ({ popup }) => {
    const focused = document.activeElement;
    if (focused === document.body || popup.getElement()?.contains(focused))
      element?.focus({ preventScroll: true });
  });
  if (isCluster(one)) openCluster(map, marker, leaves);
  return marker;
}

/** A click on a cluster zooms in until its places are apart; those that never are get a list. */
function openCluster(map: L.Map, marker: L.Marker, leaves: () => readonly Point[]): void {
  const open = () => {
    const bounds = L.latLngBounds(leaves().map(pointOf));
    const zoom = map.getBoundsZoom(bounds, false, L.point(36, 36));
    if (map.getZoom() >= map.getMaxZoom() || zoom <= map.getZoom()) marker.openPopup();
    else map.fitBounds(bounds, { padding: [36, 36] });
  };
  marker.off('click keypress');
  marker.on('click', open);
  marker.on('keypress', ({ originalEvent }) => originalEvent.key === 'Enter' && open());
}

function popupOf(leaves: readonly Point[]): HTMLElement {
  const list = Object.assign(document.createElement('ul'), { className: 'cards' });
  for (const { properties } of leaves) {
    const item = Object.assign(document.createElement('li'), { className: 'card' });
    item.append(...properties.content());
    list.append(item);
  }
  return list;
}

/**
 * The bounds of the view in which the map opens. One distant place does not make it a map of the world: of many, it leaves
 * out those further from the middle half than three times its extent (the outer fences of Tukey).
 */
function openingBounds(points: readonly Point[]): L.LatLngBounds {
  if (points.length <= FEW) return L.latLngBounds(points.map(pointOf));
  const [longitudes = [], latitudes = []] = [0, 1].map((axis) => {
    const values = points.map(({ geometry }) => geometry.coordinates[axis] ?? 0).sort((a, b) => a - b);
    const [first = 0, third = 0] = [0.25, 0.75].map((part) => values[Math.floor(part * values.length)]);
    const fence = 3 * Math.max(third - first, LEAST_EXTENT);
    return values.filter((value) => value >= first - fence && value <= third + fence);
  });
  const corner = (at: number): [number, number] => [latitudes.at(at) ?? 0, longitudes.at(at) ?? 0];
  return L.latLngBounds(corner(0), corner(-1));
}

function pointOf({ geometry }: Found): [latitude: number, longitude: number] {
  const [longitude = 0, latitude = 0] = geometry.coordinates;
  return [latitude, longitude];
}

/** Shows the land in the current view: most of the outline is elsewhere, and all of it would hold up a telephone. */
function showLand(map: L.Map, outline: readonly number[][][]): void {
  const rings = outline.flat().map((steps) => ({ steps, box: boxOf(steps) }));
  const land = L.polygon([], { className: 'land', interactive: false }).addTo(map);
  const inParts = ({ lng, lat }: L.LatLng) => L.point(lng, lat).multiplyBy(PARTS);
  const show = () => {
    const bounds = map.getBounds().pad(AROUND);
    const view = L.bounds(inParts(bounds.getSouthWest()), inParts(bounds.getNorthEast()));
    land.setLatLngs(rings.filter(({ box }) => view.intersects(box)).map(({ steps }) => clip(steps, view)));
  };
  map.on('moveend', show);
  show();
}

/** The box around a ring of the outline, which is given as the difference of each point to the previous one. */
function boxOf(steps: readonly number[]): L.Bounds {
  let [x, y, west, south, east, north] = [0, 0, Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at] ?? 0;
    y += steps[at + 1] ?? 0;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return L.bounds([west, south], [east, north]);
}

/** The part of a ring that is in a box. */
function clip(steps: readonly number[], box: L.Bounds): [latitude: number, longitude: number][] {
  let at = L.point(0, 0);
  const points = Array.from({ length: steps.length / 2 }, (_, index) => {
    at = L.point(at.x + (steps[2 * index] ?? 0), at.y + (steps[2 * index + 1] ?? 0));
    return at;
  });
  return L.PolyUtil.clipPolygon(points, box).map(({ x, y }) => [y / PARTS, x / PARTS]);
}

async function fetchJson<Content>(address: string): Promise<Content> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}
