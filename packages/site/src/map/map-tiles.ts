/** Pictures of streets, which maps show in place of the outline of the land. */
export interface MapTiles {
  /** Address of a tile with `{z}`, `{x}` and `{y}`, and perhaps `{s}` (a, b or c) and `{r}`. */
  template: string;
  /** Whom the map is owed to. */
  credit: string;
  /** Where the credit leads. */
  link: string | undefined;
}

const NEEDED = ['{z}', '{x}', '{y}'];
const KNOWN = [...NEEDED, '{s}', '{r}'];

/** Hosts that `{s}` stands for. */
const HOSTS = ['a', 'b', 'c'];

/** Reads `template|credit` or `template|credit|link`; undefined where it is neither. */
export function parseMapTiles(text: string): MapTiles | undefined {
  const [template = '', credit = '', link, ...more] = text.split('|').map((part) => part.trim());
  const names: string[] = template.match(/\{[^}]*\}/g) ?? [];
  const isTemplate =
    NEEDED.every((name) => names.includes(name)) && names.every((name) => KNOWN.includes(name));
  if (!isTemplate || originsOf(template).length === 0 || credit === '' || more.length > 0) return undefined;
  if (link !== undefined && webOrigin(link) === undefined) return undefined;
  return { template, credit, link };
}

/** The origins that tiles come from: what the policy of a page with a map has to allow. */
export function tileOrigins(tiles: MapTiles | undefined): string[] {
  return tiles ? originsOf(tiles.template) : [];
}

function originsOf(template: string): string[] {
  const origins = HOSTS.map((host) => webOrigin(template.replaceAll('{s}', host).replace(/\{[^}]*\}/g, '0')));
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

function webOrigin(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) && !url.username ? url.origin : undefined;
}
