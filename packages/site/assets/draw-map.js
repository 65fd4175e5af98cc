// Draws the places of a page with Leaflet, in clusters, over the outline of the land or over tiles.
const CLUSTER_PIXELS = 60;
const DEEPEST = { land: 14, tiles: 19 };
const NEAREST = { land: 9, tiles: 16 };
/** With more places than this, the map opens without the outermost of them, of which this part is left out on each side. */
const FEW = 20;
const OUTERMOST = 0.025;
const LISTED = 40;
/** The outline of the land is given in fractions of a degree: this many per degree. */
const PARTS = 50;

/** Draws the map of a page into its element. */
export async function drawMap(element) {
  const data = element.dataset;
  const [points, land] = await Promise.all([
    data.source ? readPoints(data.source) : findPoints(),
    data.land ? fetchJson(data.land) : undefined,
    load(data.leaflet),
    load(data.clusters),
    addStyles(data.styles),
  ]);
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const deepest = data.tiles ? DEEPEST.tiles : DEEPEST.land;
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: false,
    minZoom: 1,
    maxZoom: deepest,
    maxBounds: [
      [-85, -190],
      [85, 190],
    ],
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    markerZoomAnimation: !isStill,
    inertia: !isStill,
    // The wheel scrolls the page, until the map has the focus.
    scrollWheelZoom: false,
  });
  map.on('focus', () => map.scrollWheelZoom.enable());
  map.on('blur', () => map.scrollWheelZoom.disable());
  // Leaflet listens to keys on the map only, not to those inside its popups.
  element.addEventListener('keydown', ({ key }) => key === 'Escape' && map.closePopup());
  L.control.zoom({ zoomInTitle: data.zoomIn, zoomOutTitle: data.zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  const credits = L.control
    .attribution({ prefix: '<a href="https://leafletjs.com/">Leaflet</a>' })
    .addTo(map);
  credits.addAttribution(creditOf(data));
  if (data.tiles) {
    L.tileLayer(data.tiles, { maxZoom: deepest, referrerPolicy: 'origin' }).addTo(map);
  } else {
    L.polygon(decodeLand(land), { className: 'land', interactive: false }).addTo(map);
  }
  map.fitBounds(openingBounds(points), {
    maxZoom: data.tiles ? NEAREST.tiles : NEAREST.land,
    padding: [36, 36],
    animate: false,
  });
  showPoints(map, points, data, deepest);
  element.classList.add('drawn');
}

/** The places on the page. */
function findPoints() {
  return [...document.querySelectorAll('[data-latitude]')].map((item) => {
    const link = item.querySelector('a');
    const words = [...item.querySelectorAll('.fact')].map((fact) => fact.cloneNode(true));
    return pointOf(
      Number(item.dataset.longitude),
      Number(item.dataset.latitude),
      item.dataset.name ?? link.textContent,
      () => [link.cloneNode(true), ...words],
    );
  });
}

/** The places of a GeoJSON file, with the name and page address of each. */
async function readPoints(source) {
  const { features } = await fetchJson(source);
  const located = features.filter(({ geometry }) => geometry);
  const edition = new URL(source, location.href).searchParams.get('edition');
  return located.map(({ geometry, properties: { name, url } }) => {
    const [longitude, latitude] = geometry.coordinates;
    return pointOf(longitude, latitude, name, () => {
      const link = document.createElement('a');
      link.href = edition ? `${url}?edition=${edition}` : url;
      link.textContent = name;
      return [link];
    });
  });
}

function pointOf(longitude, latitude, name, content) {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { name: name.trim(), content },
  };
}

/** Shows markers for the current view: places, and clusters of places that would overlap. */
function showPoints(map, points, data, deepest) {
  const index = new Supercluster({ radius: CLUSTER_PIXELS, maxZoom: deepest - 1 }).load(points);
  const markers = new Map();
  const show = () => {
    const view = map.getBounds().pad(0.3);
    const box = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
    const found = new Map(
      index.getClusters(box, Math.round(map.getZoom())).map((one) => [keyOf(one, points), one]),
    );
    const hadFocus = document.activeElement.closest('.leaflet-marker-pane') !== null;
    for (const [key, marker] of markers) {
      if (found.has(key)) continue;
      marker.remove();
      markers.delete(key);
    }
    for (const [key, one] of found) {
      if (!markers.has(key)) markers.set(key, addMarker(map, index, one, data));
    }
    // If the focused marker was removed, the map gets the focus instead of the page.
    if (hadFocus && document.activeElement === document.body)
      map.getContainer().focus({ preventScroll: true });
  };
  map.on('moveend', show);
  show();
}

/** A key for a cluster or a place of the index. */
function keyOf(one, points) {
  return one.properties.cluster ? `cluster ${one.id}` : `place ${points.indexOf(one)}`;
}

function addMarker(map, index, one, data) {
  const [longitude, latitude] = one.geometry.coordinates;
  const { cluster: isCluster, point_count: count } = one.properties;
  const size = isCluster ? Math.min(52, 26 + 6 * Math.log2(count)) : 24;
  const icon = L.divIcon({
    className: isCluster ? 'cluster' : 'place',
    iconSize: [size, size],
    html: isCluster ? `<span>${Number(count)}</span>` : '<span></span>',
  });
  const marker = L.marker([latitude, longitude], { icon, riseOnHover: true, zIndexOffset: count ?? 0 }).addTo(
    map,
  );
  const name = isCluster ? `${count} ${data.places}` : one.properties.name;
  const element = marker.getElement();
  element.setAttribute('aria-label', name);
  marker.bindTooltip(document.createTextNode(name), { direction: 'top', offset: [0, -size / 2] });
  const leaves = () => (isCluster ? index.getLeaves(one.id, Infinity) : [one]);
  marker.bindPopup(() => popupOf(leaves()), { offset: [0, -size / 4], maxWidth: 240, maxHeight: 220 });
  marker.on('popupopen', ({ popup }) => {
    marker.closeTooltip();
    popup.getElement().querySelector('.leaflet-popup-close-button')?.setAttribute('aria-label', data.close);
    popup.getElement().querySelector('a[href]')?.focus({ preventScroll: true });
  });
  marker.on('popupclose', () => {
    if (
      document.activeElement === document.body ||
      marker.getPopup().getElement()?.contains(document.activeElement)
    )
      element.focus({ preventScroll: true });
  });
  if (isCluster) openClusters(map, marker, leaves);
  return marker;
}

/** A click on a cluster zooms in until its places are apart; those that never are get a list. */
function openClusters(map, marker, leaves) {
  const list = marker.openPopup.bind(marker);
  marker.off('click keypress');
  const open = () => {
    const bounds = boundsOf(leaves());
    const zoom = map.getBoundsZoom(bounds, false, [36, 36]);
    if (map.getZoom() >= map.getMaxZoom() || zoom <= map.getZoom()) list();
    else map.fitBounds(bounds, { padding: [36, 36] });
  };
  marker.on('click', open);
  marker.on('keypress', ({ originalEvent }) => originalEvent.key === 'Enter' && open());
}

function popupOf(leaves) {
  const list = document.createElement('ul');
  list.append(
    ...leaves.slice(0, LISTED).map(({ properties: { content } }) => {
      const item = document.createElement('li');
      item.append(...content());
      return item;
    }),
  );
  return list;
}

/** The bounds of the view in which the map opens: one distant place does not make it a map of the world. */
function openingBounds(points) {
  if (points.length <= FEW) return boundsOf(points);
  const skipped = Math.ceil(points.length * OUTERMOST);
  const [west, east, south, north] = [0, 1].flatMap((axis) => {
    const values = points.map(({ geometry }) => geometry.coordinates[axis]).sort((a, b) => a - b);
    return [values.at(skipped), values.at(-1 - skipped)];
  });
  return L.latLngBounds([
    [south, west],
    [north, east],
  ]);
}

function boundsOf(points) {
  return L.latLngBounds(
    points.map(
      ({
        geometry: {
          coordinates: [longitude, latitude],
        },
      }) => [latitude, longitude],
    ),
  );
}

/** Decodes the outline of the land: rings of points, each as the difference to the previous one. */
function decodeLand(polygons) {
  return polygons.map((rings) =>
    rings.map((steps) => {
      const points = [];
      let [x, y] = [0, 0];
      for (let at = 0; at < steps.length; at += 2) {
        x += steps[at];
        y += steps[at + 1];
        points.push([y / PARTS, x / PARTS]);
      }
      return points;
    }),
  );
}

/** The credit of the map as HTML, in which the setting is escaped. */
function creditOf({ credit, creditLink }) {
  const element = document.createElement(creditLink ? 'a' : 'span');
  element.textContent = credit;
  if (creditLink) element.href = creditLink;
  return element.outerHTML;
}

async function fetchJson(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}

function load(address) {
  return import(new URL(address, location.href).href);
}

function addStyles(address) {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'stylesheet', href: address, onload: resolve, onerror: reject });
    document.head.prepend(link);
  });
}
