import { type Asset, createAsset } from '../assets.ts';
import type { Accents } from './accents.ts';

/** The path below the base URL of the styles that give pages an institution's own accent. */
export function themePath(accents: Accents): string {
  return `assets/${themeOf(accents).served}`;
}

/** The styles that are served under a name: it says what is in them. Undefined where it is the name of none. */
export function findTheme(served: string): Asset | undefined {
  const [, light, dark] = /^theme-([0-9a-f]{6})-([0-9a-f]{6})\.[0-9a-f]+\.css$/.exec(served) ?? [];
  if (!light || !dark) return undefined;
  const theme = themeOf({ light: `#${light}`, dark: `#${dark}` });
  return theme.served === served ? theme.asset : undefined;
}

function themeOf(accents: Accents): { served: string; asset: Asset } {
  const [light, dark] = [accents.light.toLowerCase(), accents.dark.toLowerCase()];
  const text = `:root {
  --accent: ${light};
}

@media (prefers-color-scheme: dark) {
  :root {
    --accent: ${dark};
  }
}
`;
  return createAsset(`theme-${light.slice(1)}-${dark.slice(1)}.css`, Buffer.from(text));
}
