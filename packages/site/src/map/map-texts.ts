import type { Language } from '@archiefkast/types';

/** The words of maps. */
export const MAP_TEXTS = {
  en: {
    map: 'Map',
    help: 'Map. Arrow keys move it, plus and minus zoom, Tab goes from place to place.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    close: 'Close',
    places: 'places',
  },
  nl: {
    map: 'Kaart',
    help: 'Kaart. Pijltjes verschuiven haar, plus en min zoomen, Tab gaat van plaats naar plaats.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom uit',
    close: 'Sluit',
    places: 'plaatsen',
  },
} as const satisfies Record<Language, Record<string, string>>;
