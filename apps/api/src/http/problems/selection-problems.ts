import type { ProblemKind } from './problem-kind.ts';

/** The problems of the parameters that say what is wanted, and in which order. */
export const SELECTION_PROBLEMS = {
  'invalid-bbox': {
    status: 400,
    title: { en: 'Invalid box', nl: 'Ongeldige rechthoek' },
    help: {
      en: 'The parameter bbox holds four numbers with commas between: west, south, east and north, in degrees. West may be more than east, for a box across the date line.',
      nl: "De parameter bbox bevat vier getallen met komma's ertussen: west, zuid, oost en noord, in graden. West mag meer zijn dan oost, voor een rechthoek over de datumgrens.",
    },
  },
  'invalid-fields': {
    status: 400,
    title: { en: 'Invalid fields', nl: 'Ongeldige velden' },
    help: {
      en: 'The parameter fields names a field that the records do not have. It holds names with commas between, such as title,uuid; of what is embedded, names such as location.name; or brief, for a short set. The member fields lists those that there are.',
      nl: "De parameter fields noemt een veld dat de records niet hebben. Hij bevat namen met komma's ertussen, zoals title,uuid; van wat is ingebed namen als location.name; of brief, voor een korte reeks. Het onderdeel fields noemt de velden die er zijn.",
    },
  },
  'invalid-sort': {
    status: 400,
    title: { en: 'Invalid order', nl: 'Ongeldige volgorde' },
    help: {
      en: 'The parameter sort names an order that there is not. The member orders lists those that there are; without sort, the best hits come first.',
      nl: 'De parameter sort noemt een volgorde die er niet is. Het onderdeel orders noemt die er zijn; zonder sort komen de beste treffers eerst.',
    },
  },
  'too-many-hits': {
    status: 400,
    title: { en: 'Too many hits', nl: 'Te veel treffers' },
    help: {
      en: 'More records match than a file of hits may hold. Make the query narrower, or take the whole file, without q, bbox and sort: that has all records, and no bound. Pages of search have no bound either.',
      nl: 'Er voldoen meer records dan een bestand met treffers mag bevatten. Maak de vraag nauwer, of haal het hele bestand, zonder q, bbox en sort: dat heeft alle records, zonder grens. Pagina’s van zoeken hebben ook geen grens.',
    },
  },
  'invalid-facet': {
    status: 400,
    title: { en: 'Invalid facet', nl: 'Ongeldig facet' },
    help: {
      en: 'The parameter of lists facets, with commas between. The member facets lists those that there are; without of, all are counted.',
      nl: "De parameter of noemt facetten, met komma's ertussen. Het onderdeel facets noemt die er zijn; zonder of worden ze alle geteld.",
    },
  },
} as const satisfies Record<string, ProblemKind>;
