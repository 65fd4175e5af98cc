import { parseWebAddress } from '@archiefkast/types/web-address';

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

/** Reads `template|credit` or `template|credit|link`; undefined where it is neither. */
export function parseMapTiles(text: string): MapTiles | undefined {
  const [template = '', credit = '', link, ...more] = text.split('|').map((part) => part.trim());
  const names: string[] = template.match(/\{[^}]*\}/g) ?? [];
  const isTemplate =
    NEEDED.every((name) => names.includes(name)) && names.every((name) => KNOWN.includes(name));
  if (!isTemplate || credit === '' || more.length > 0) return undefined;
  const addresses = [template.replace(/\{[^}]*\}/g, '0'), ...(link === undefined ? [] : [link])];
  const isPublic = (address: string) => parseWebAddress(address)?.username === '';
  return addresses.every(isPublic) ? { template, credit, link } : undefined;
}
