import { nearestName } from '@archiefkast/bundle/nearest-name';
import { SEARCH_FIELDS } from './search-fields.ts';

/** What people call fields, in English and Dutch, without spaces and hyphens. */
const NAMES_OF: Readonly<Record<string, string>> = {
  last_name: 'surname familyname achternaam familienaam',
  first_name: 'givenname forename voornaam roepnaam',
  infix: 'prefix particle tussenvoegsel voorvoegsel',
  title: 'fullname volledigenaam titel naam person persoon who wie',
  name: 'label heading naam titel',
  birth_date:
    'born birth birthday birthyear dateofbirth geboren geboorte geboortedatum geboortejaar jaar year',
  death_date: 'died death deathyear dateofdeath overleden gestorven sterfdatum sterfjaar overlijdensdatum',
  birth_place: 'placeofbirth geboorteplaats birthcity',
  birth_country: 'countryofbirth geboorteland',
  death_place: 'placeofdeath sterfplaats overlijdensplaats plaatsvanoverlijden',
  death_country: 'countryofdeath sterfland',
  gender: 'sex geslacht',
  century: 'eeuw',
  city: 'town stad woonplaats gemeente',
  place: 'plaats where waar',
  street: 'address adres straat',
  zipcode: 'zip postcode postalcode',
  state: 'province provincie region',
  land: 'country',
  date: 'datum jaar year when wanneer',
  date_start: 'start begin startdate begindatum',
  date_end: 'end einde enddate einddatum',
  kind: 'type soort',
  subject: 'onderwerp onderwerpen subjects topic tag trefwoord',
  location: 'locatie locations',
  event: 'gebeurtenis events',
  person: 'persons personen',
  has: 'heeft met',
  content: 'text tekst inhoud body description beschrijving biography',
  summary: 'samenvatting abstract',
  near: 'nabij around distance',
  within: 'bbox binnen',
};

const known = SEARCH_FIELDS.map(({ name }) => name);
const CALLED: readonly (readonly [called: string, field: string])[] = [
  ...known.map((name) => [plain(name), name] as const),
  ...Object.entries(NAMES_OF).flatMap(([name, all]) => all.split(' ').map((each) => [each, name] as const)),
];

/** The fields that a name can mean: spelled so, called so, or with the nearest name. */
export function fieldsCalled(name: string): string[] {
  const wanted = plain(name);
  const called = (each: string) => CALLED.flatMap(([by, field]) => (by === each ? field : []));
  const exact = called(wanted);
  if (exact.length > 0) return exact;
  const names = [known, known.map(plain), CALLED.map(([by]) => by)] as const;
  const nearest = [name.toLowerCase(), wanted, wanted].map((each, at) => nearestName(each, names[at] ?? []));
  return called(plain(nearest.find((each) => each !== undefined) ?? ''));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}
