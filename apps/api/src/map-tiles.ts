import type { MapTiles } from '@archiefkast/site';
import { parseWebAddress } from '@archiefkast/types/links';

const NEEDED = ['{z}', '{x}', '{y}'];
const KNOWN = [...NEEDED, '{s}', '{r}'];

/** Parses `template|credit` or `template|credit|link`; undefined if invalid. */
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
