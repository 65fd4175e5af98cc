import type { Language } from '@archiefkast/types';

/** What a column of a spreadsheet can be about. */
export type Concept = keyof typeof CONCEPTS;

/** The names of columns for each concept, in English and Dutch, likeliest first; without spaces, accents and capitals. */
const CONCEPTS = {
  id: [
    'id objectid recordid personid constituentid artistid identifier objectnumber accessionnumber number no key code uri qid item',
    'nr nummer objectnummer inventarisnummer recordnummer volgnummer',
  ],
  name: [
    'name title displayname fullname label preferredname preflabel heading caption term preferredterm',
    'naam titel weergavenaam volledigenaam benaming opschrift voorkeursterm',
  ],
  first_name: [
    'firstname firstnames givenname givennames forename forenames christianname',
    'voornaam voornamen roepnaam',
  ],
  infix: ['infix particle nameprefix', 'tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels tv'],
  last_name: ['lastname surname familyname', 'achternaam familienaam geslachtsnaam'],
  gender: ['gender sex', 'geslacht'],
  birth_date: [
    'birthdate dateofbirth born birthyear yearofbirth birth birthdateyear constituentbegindate birthday',
    'geboortedatum geboren geboortejaar datumgeboorte',
  ],
  birth_place: ['birthplace placeofbirth bornin', 'geboorteplaats geborenin geborente plaatsgeboorte'],
  birth_country: ['birthcountry countryofbirth', 'geboorteland'],
  death_date: [
    'deathdate dateofdeath died deathyear yearofdeath death constituentenddate',
    'sterfdatum overlijdensdatum overleden sterfjaar overlijdensjaar gestorven datumoverlijden',
  ],
  death_place: [
    'deathplace placeofdeath diedin',
    'sterfplaats overlijdensplaats plaatsvanoverlijden overledenin overledente',
  ],
  death_country: ['deathcountry countryofdeath', 'landvanoverlijden sterfland'],
  life: ['dates lifedates lifespan years', 'levensdata levensjaren leefjaren jaren'],
  summary: [
    'summary shortdescription abstract artistbio',
    'samenvatting korteomschrijving kortebeschrijving',
  ],
  text: [
    'description biography content text bio history',
    'omschrijving beschrijving biografie inhoud tekst toelichting levensloop',
  ],
  date: [
    'date year eventdate datecreated created dated dating',
    'datum jaar jaartal datering vervaardigingsdatum',
  ],
  date_start: [
    'startdate datestart start begindate begin from since startyear beginyear positionbegindate departure opened',
    'begindatum startdatum van vanaf begin datumvan beginjaar startjaar vertrek geopend',
  ],
  date_end: [
    'enddate dateend end finish to until till endyear positionenddate arrival closed',
    'einddatum tot totenmet tm eind einde datumtot eindjaar aankomst gesloten',
  ],
  role: [
    'role position function job office jobtitle positionnote departmentfullname',
    'functie rol ambt beroep functietitel',
  ],
  place: ['location place venue locationname placename', 'locatie plaats plaatsnaam vindplaats'],
  latitude: ['latitude lat', 'breedtegraad noorderbreedte breedte'],
  longitude: ['longitude lon lng long', 'lengtegraad oosterlengte lengte'],
  coordinates: [
    'coordinates coordinate coordinatelocation latlong latlon latlng geolocation geowkt wkt coord coords point',
    'coordinaten coordinaat',
  ],
  street: ['street address streetaddress', 'straat adres straatnaam'],
  zipcode: ['zipcode zip postalcode', 'postcode'],
  city: ['city town municipality', 'stad woonplaats gemeente'],
  state: ['state province region county', 'provincie regio'],
  country: ['country', 'land'],
  persons: [
    'creator creators artist artists maker makers author authors person persons people photographer director directors curator curators',
    'kunstenaar kunstenaars vervaardiger vervaardigers auteur auteurs persoon personen betrokkenen fotograaf directeur directeuren directrice conservator conservatoren',
  ],
  subjects: [
    'subject subjects keyword keywords tags tag topic topics theme themes category categories genre types',
    'onderwerp onderwerpen trefwoord trefwoorden thema themas categorie categorieen rubriek',
  ],
  parent: [
    'parent parentid broader broaderterm',
    'bovenliggend bovenliggendonderwerp bovenliggendeterm bredereterm hogereterm hoofdonderwerp',
  ],
  same_as: ['sameas exactmatch', ''],
  image_url: [
    'imageurl image picture photo img objectlocation imagelocation imagesmall thumbnail imagethumb thumbnailurl',
    'afbeelding afbeeldingurl foto plaatje beeld',
  ],
  image_credit: ['imagecredit credit creditline imagealttext', 'naamsvermelding'],
  image_copyright: ['copyright rights imagerights', 'rechten auteursrecht'],
} as const satisfies Record<string, readonly [english: string, dutch: string]>;

/** Words for what a row is about, left out if a name is not found with them: "directeur tot", "artist_id". */
const SUBJECT_WORDS =
  /^(?:person|people|persoon|artists?|kunstenaar|director|directeur|item|object|record|work|werk|event|place|location|locatie|subject|onderwerp|constituent)$/;

/** Words left out after that: "naam van de directeur". */
const SMALL_WORDS = /^(?:the|a|of|de|het|een|van)$/;

/** Names of columns by concept and language, with their rank in the list. */
const NAMES = new Map<string, { concept: Concept; language: Language; rank: number }>();
for (const concept of conceptNames()) {
  for (const [index, words] of CONCEPTS[concept].entries()) {
    for (const [rank, word] of words.split(' ').entries()) {
      if (word !== '' && !NAMES.has(word))
        NAMES.set(word, { concept, language: index === 0 ? 'en' : 'nl', rank });
    }
  }
}

function conceptNames(): Concept[] {
  const isConcept = (name: string): name is Concept => name in CONCEPTS;
  return Object.keys(CONCEPTS).filter(isConcept);
}

/** The rank of a name after all that are listed. */
const LAST_RANK = 1000;

/** What a column is about, by its name. */
export interface ColumnConcept {
  concept: Concept;
  /** Language of the name of the column. */
  language: Language;
  /** Language of its texts, if the name says so: `title_en`. */
  textLanguage: Language | undefined;
  rank: number;
}

const LANGUAGE_WORDS: Readonly<Record<string, Language>> = {
  en: 'en',
  eng: 'en',
  english: 'en',
  engels: 'en',
  nl: 'nl',
  dut: 'nl',
  dutch: 'nl',
  nederlands: 'nl',
};

/** Finds what a column is about by its name; undefined if the name says nothing known. */
export function conceptOf(header: string): ColumnConcept | undefined {
  const words = headerWords(header);
  const last = LANGUAGE_WORDS[words.at(-1) ?? ''];
  const textLanguage = words.length > 1 ? last : undefined;
  const own = textLanguage ? words.slice(0, -1) : words;
  const plain = own.filter((word) => !SUBJECT_WORDS.test(word));
  const attempts = [
    own,
    plain,
    plain.filter((word) => !SMALL_WORDS.test(word)),
    own.filter((word) => word !== 'label'),
  ];
  const found = attempts.map((some) => NAMES.get(some.join(''))).find((each) => each !== undefined);
  if (!found && own.at(-1) === 'id') return { concept: 'id', language: 'en', textLanguage, rank: LAST_RANK };
  return found && { ...found, textLanguage };
}

/** The words of a name in any style: `yearOfBirth`, `Year of birth`, `YEAR_OF_BIRTH`. */
export function headerWords(name: string): string[] {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The columns of tables for concepts with another name. */
const COLUMNS: Partial<Record<Concept, readonly string[]>> = {
  name: ['title_nl', 'title_en', 'name_nl', 'name_en'],
  text: ['content_nl', 'content_en', 'description_nl', 'description_en'],
  summary: ['summary_nl', 'summary_en'],
  country: ['land'],
  place: ['location', 'city'],
};

/**
 * The columns of a table that a header of another collection may mean: the same name in another spelling, the name without
 * its language, or a name of the same concept. Empty if there is none.
 *
 * @param names the column names of the table
 */
export function columnsLike(header: string, names: readonly string[]): string[] {
  const folded = headerWords(header).join('');
  const spelling = (name: string) => name.replaceAll('_', '');
  const same = names.filter((name) => spelling(name) === folded);
  if (same.length > 0) return same;
  const inLanguages = names.filter((name) => [`${folded}nl`, `${folded}en`].includes(spelling(name)));
  if (inLanguages.length > 0) return inLanguages;
  const { concept, textLanguage } = conceptOf(header) ?? {};
  const columns = concept === undefined ? [] : (COLUMNS[concept] ?? [concept]);
  return columns.filter(
    (column) => names.includes(column) && (!textLanguage || column.endsWith(`_${textLanguage}`)),
  );
}
