import { nearestName } from '@archiefkast/bundle/nearest-name';
import type { Language } from '@archiefkast/types';

/** A sentence in both languages. */
export type Bilingual = Readonly<Record<Language, string>>;

/** A kind of problem, with its meaning and what to do about it in both languages: the text of its help page. */
interface ProblemKind extends Bilingual {
  status: number;
  title: Bilingual;
}

/** Every kind of problem. Its name is the last segment of its `type`, and never changes. */
export const PROBLEMS = {
  'invalid-bbox': {
    status: 400,
    title: { en: 'Invalid bounding box', nl: 'Ongeldige rechthoek' },
    en: 'The parameter bbox takes four numbers, separated by commas: west, south, east and north, in degrees. West may be greater than east, for a box that crosses the date line.',
    nl: "De parameter bbox bestaat uit vier getallen, gescheiden door komma's: west, zuid, oost en noord, in graden. West mag groter zijn dan oost, voor een rechthoek over de datumgrens.",
  },
  'invalid-fields': {
    status: 400,
    title: { en: 'Invalid fields', nl: 'Ongeldige velden' },
    en: 'The parameter fields contains an unknown field. It takes field names separated by commas, such as title,uuid; fields of embedded records, such as location.name; or brief, for a short set. The member fields lists the valid names.',
    nl: "De parameter fields bevat een onbekend veld. Geef veldnamen op, gescheiden door komma's, zoals title,uuid; velden van ingebedde records, zoals location.name; of brief, voor een korte selectie. Onder fields staan de geldige namen.",
  },
  'invalid-events': {
    status: 400,
    title: { en: 'Invalid form of events', nl: 'Ongeldige vorm van gebeurtenissen' },
    en: 'The parameter events takes full or abbreviated. Abbreviated events have the addresses of their persons and location in place of these records. The member forms lists the valid values.',
    nl: 'De parameter events is full of abbreviated. Verkorte gebeurtenissen hebben de adressen van hun personen en locatie in plaats van die records zelf. Onder forms staan de geldige waarden.',
  },
  'invalid-sort': {
    status: 400,
    title: { en: 'Invalid sort order', nl: 'Ongeldige sorteervolgorde' },
    en: 'The parameter sort contains an unknown sort order. The member orders lists the valid ones. By default, hits are sorted by relevance.',
    nl: 'De parameter sort bevat een onbekende sorteervolgorde. Onder orders staan de geldige waarden. Zonder sort staan de relevantste treffers bovenaan.',
  },
  'too-many-hits': {
    status: 400,
    title: { en: 'Too many hits', nl: 'Te veel treffers' },
    en: 'More records match than a filtered file may contain. Use a more specific query, or download the complete file, without q, bbox and sort, which has no limit. The pages of search have no limit either.',
    nl: 'De zoekvraag levert meer records op dan een gefilterd bestand mag bevatten. Maak de zoekvraag specifieker, of download het volledige bestand, zonder q, bbox en sort; daarvoor geldt geen maximum. Ook voor de pagina’s met zoekresultaten geldt geen maximum.',
  },
  'invalid-facet': {
    status: 400,
    title: { en: 'Invalid facet', nl: 'Ongeldig facet' },
    en: 'The parameter of takes names of facets, separated by commas. The member facets lists the valid names. By default, all facets are counted.',
    nl: "De parameter of bevat namen van facetten, gescheiden door komma's. Onder facets staan de geldige namen. Zonder of worden alle facetten geteld.",
  },
  'invalid-queries': {
    status: 400,
    title: { en: 'Invalid queries', nl: 'Ongeldige zoekvragen' },
    en: 'The parameter queries is not a batch of the Reconciliation API 0.2: a JSON object of queries, each with the name that is sought, and if wanted with a type, a limit and properties. A query that is wrong has no candidates, and says why in the member message.',
    nl: 'De parameter queries is geen reeks zoekvragen van de Reconciliation API 0.2: een JSON-object met zoekvragen, elk met de gezochte naam en desgewenst een type, een limiet en eigenschappen. Een zoekvraag die niet klopt heeft geen kandidaten, en zegt onder message waarom.',
  },
  'too-many-queries': {
    status: 413,
    title: { en: 'Too many queries', nl: 'Te veel zoekvragen' },
    en: 'The parameter queries has more queries than a batch may have: batchSize in the description of the service. Send them in several batches.',
    nl: 'De parameter queries heeft meer zoekvragen dan een reeks mag hebben: batchSize in de beschrijving van de dienst. Verstuur ze in meer dan één reeks.',
  },
  'invalid-form': {
    status: 400,
    title: { en: 'Invalid form', nl: 'Ongeldig formulier' },
    en: 'The body of a POST has to be a form: parameters as in a URL, with the content type application/x-www-form-urlencoded, of at most 256 kB, for OAI-PMH 4 kB.',
    nl: 'De inhoud van een POST moet een formulier zijn: parameters zoals in een URL, met het inhoudstype application/x-www-form-urlencoded, van hoogstens 256 kB, voor OAI-PMH 4 kB.',
  },
  'invalid-message': {
    status: 400,
    title: { en: 'Invalid message', nl: 'Ongeldig bericht' },
    en: 'The body of a POST to /mcp has to be a message of the Model Context Protocol: JSON in UTF-8, with the content type application/json, of at most 64 kB. What is wrong with the message itself is answered as the protocol says.',
    nl: 'De inhoud van een POST naar /mcp moet een bericht van het Model Context Protocol zijn: JSON in UTF-8, met het inhoudstype application/json, van hoogstens 64 kB. Wat aan het bericht zelf niet klopt, staat in het antwoord zoals het protocol dat voorschrijft.',
  },
  'not-found': {
    status: 404,
    title: { en: 'Not found', nl: 'Niet gevonden' },
    en: 'The path does not exist, or the served edition has no record with this UUID. Paths are case-sensitive and begin with a language, en or nl. A record that was published before is 410.',
    nl: 'Dit adres bestaat niet, of de huidige editie bevat geen record met deze uuid. Adressen zijn hoofdlettergevoelig en beginnen met een taal: en of nl. Voor een record dat er eerder was, is de status 410.',
  },
  'no-pictures': {
    status: 404,
    title: { en: 'No pictures', nl: 'Geen afbeeldingen' },
    en: 'The record has no picture whose width and height are known, so that it has no IIIF manifest. The collection /iiif/collection.json has the manifests of all records that have one.',
    nl: 'Het record heeft geen afbeelding waarvan breedte en hoogte bekend zijn, en dus geen IIIF-manifest. De collectie /iiif/collection.json bevat de manifesten van alle records die er een hebben.',
  },
  'invalid-embed': {
    status: 400,
    title: { en: 'Invalid request for a card', nl: 'Ongeldige vraag om een kaart' },
    en: 'The address /oembed takes the parameter url, the address of the page of a record of this archive; and maxwidth and maxheight, whole numbers of pixels.',
    nl: 'Het adres /oembed heeft de parameter url nodig, het adres van de pagina van een record van dit archief; maxwidth en maxheight zijn hele aantallen pixels.',
  },
  'format-not-offered': {
    status: 501,
    title: { en: 'Format not offered', nl: 'Formaat niet beschikbaar' },
    en: 'The address /oembed answers in JSON only: use format=json, or no format.',
    nl: 'Het adres /oembed antwoordt alleen in JSON: gebruik format=json, of geen format.',
  },
  'precondition-failed': {
    status: 412,
    title: { en: 'Precondition failed', nl: 'Niet aan voorwaarde voldaan' },
    en: 'The request demands a version with If-Match or If-Unmodified-Since, and the resource has changed since. Request it without these headers, or name the edition of that version with the parameter edition.',
    nl: 'Het verzoek eist met If-Match of If-Unmodified-Since een bepaalde versie, maar het gevraagde is sindsdien veranderd. Vraag het op zonder deze headers, of noem de editie van die versie met de parameter edition.',
  },
  'invalid-page': {
    status: 404,
    title: { en: 'Invalid page', nl: 'Ongeldige pagina' },
    en: 'The page is not a whole number of at least 1, or is past the last page. Follow the links next and previous instead of counting pages: next is null on the last page.',
    nl: 'Het paginanummer is geen geheel getal vanaf 1, of is hoger dan dat van de laatste pagina. Volg de links next en previous in plaats van te tellen: op de laatste pagina is next null.',
  },
  'invalid-query': {
    status: 400,
    title: { en: 'Invalid search query', nl: 'Ongeldige zoekvraag' },
    en: 'The parameter q cannot be parsed. It takes words, or clauses such as last_name:vries and city:"Den Haag"; a record matches if all of them match. The member expected describes a valid value; fields lists the valid fields.',
    nl: 'De zoekvraag (parameter q) is ongeldig. Gebruik woorden, of termen zoals last_name:vries en city:"Den Haag"; een record wordt gevonden als het aan alle termen voldoet. Onder expected staat wat verwacht werd, onder fields welke velden geldig zijn.',
  },
  'invalid-format': {
    status: 400,
    title: { en: 'Invalid format', nl: 'Ongeldig formaat' },
    en: 'The parameter format takes api or json. The response is JSON with or without it.',
    nl: 'De parameter format is api of json. Het antwoord is met en zonder deze parameter JSON.',
  },
  'invalid-edition': {
    status: 400,
    title: { en: 'Invalid edition', nl: 'Ongeldige editie' },
    en: 'The parameter edition takes the number of a kept edition, as in the header Archive-Edition. Omit it to use the edition that is currently served.',
    nl: 'De parameter edition is het nummer van een bewaarde editie, zoals vermeld in de header Archive-Edition. Laat de parameter weg voor de huidige editie.',
  },
  'no-such-edition': {
    status: 404,
    title: { en: 'No such edition', nl: 'Editie bestaat niet' },
    en: 'No edition with this number has been published yet. Valid numbers are in the header Archive-Edition of responses.',
    nl: 'Er is nog geen editie met dit nummer gepubliceerd. Het nummer van een editie staat in de header Archive-Edition van elk antwoord.',
  },
  'edition-gone': {
    status: 410,
    title: { en: 'Edition gone', nl: 'Editie verdwenen' },
    en: 'The requested edition is no longer kept: newer editions have replaced it. Start again, without the parameter edition or with the number from the header Archive-Edition.',
    nl: 'De opgevraagde editie wordt niet meer bewaard: ze is vervangen door een nieuwere. Begin opnieuw, zonder de parameter edition of met het nummer uit de header Archive-Edition.',
  },
  'record-gone': {
    status: 410,
    title: { en: 'Record gone', nl: 'Record verdwenen' },
    en: 'A record with this UUID was published, and is no more. If another record has taken its place, the member replaced_by is its address; pages and addresses of records lead to it.',
    nl: 'Een record met deze uuid is gepubliceerd geweest, maar bestaat niet meer. Als een ander record ervoor in de plaats is gekomen, staat het adres daarvan onder replaced_by; pagina’s en adressen van records verwijzen ernaar door.',
  },
  'invalid-suggestion': {
    status: 400,
    title: { en: 'Invalid request for suggestions', nl: 'Ongeldige vraag om suggesties' },
    en: 'The parameter field names a field without suggestions, or the parameter prefix is too long. Suggestions are values of a field in which a word begins with prefix. The member fields lists the fields that have suggestions.',
    nl: 'De parameter field noemt een veld zonder suggesties, of de parameter prefix is te lang. Suggesties zijn waarden van een veld waarin een woord met prefix begint. Onder fields staan de velden met suggesties.',
  },
  'invalid-range': {
    status: 416,
    title: { en: 'Invalid range', nl: 'Ongeldig bereik' },
    en: 'The header Range requests a part that starts past the end of the file. The header Content-Range of the response contains the size of the file.',
    nl: 'De header Range vraagt om een deel dat na het einde van het bestand begint. De grootte van het bestand staat in de header Content-Range van het antwoord.',
  },
  'method-not-allowed': {
    status: 405,
    title: { en: 'Method not allowed', nl: 'Methode niet toegestaan' },
    en: 'The archive is read-only: use GET, HEAD or OPTIONS.',
    nl: 'Het archief is alleen te raadplegen: gebruik GET, HEAD of OPTIONS.',
  },
  'bad-request': {
    status: 400,
    title: { en: 'Bad request', nl: 'Ongeldig verzoek' },
    en: 'The request could not be parsed: it is not valid HTTP, or a parameter is not valid UTF-8.',
    nl: 'Het verzoek kon niet worden gelezen: het is geen geldig HTTP, of een parameter is geen geldige UTF-8.',
  },
  'internal-error': {
    status: 500,
    title: { en: 'Internal error', nl: 'Interne fout' },
    en: 'The server failed to handle the request; the request itself is not at fault. The error was logged under the id in the header X-Request-Id. Try again later, and mention that id when you report the error.',
    nl: 'De server kon het verzoek niet verwerken; aan het verzoek zelf ligt het niet. De fout is vastgelegd onder het nummer in de header X-Request-Id. Probeer het later opnieuw, en vermeld dat nummer als u de fout meldt.',
  },
  'unwritable-record': {
    status: 500,
    title: { en: 'Record cannot be written', nl: 'Record kan niet worden weggeschreven' },
    en: 'The file cannot be generated, because a record cannot be written in its format. Retrying does not help. The members kind, id and uuid identify the record; the log of the server contains the cause. The publisher of the archive has to correct the record and publish again.',
    nl: 'Het bestand kan niet worden gemaakt, omdat een record niet in dit formaat kan worden weggeschreven. Opnieuw proberen helpt niet. Onder kind, id en uuid staat om welk record het gaat; de oorzaak staat in het logboek van de server. De beheerder van het archief moet het record verbeteren en opnieuw publiceren.',
  },
  'nothing-published': {
    status: 503,
    title: { en: 'Nothing published yet', nl: 'Nog niets gepubliceerd' },
    en: 'The server is running, but no edition of the archive has been published yet.',
    nl: 'De server draait, maar er is nog geen editie van het archief gepubliceerd.',
  },
  'database-unavailable': {
    status: 503,
    title: { en: 'Database unavailable', nl: 'Database niet bereikbaar' },
    en: 'The server cannot reach its database, or a query timed out. The request itself is valid. Retry after the number of seconds in the header Retry-After.',
    nl: 'De server kan de database niet bereiken, of de database reageerde niet op tijd. Aan het verzoek ligt het niet. Probeer het opnieuw na het aantal seconden in de header Retry-After.',
  },
  'file-unavailable': {
    status: 503,
    title: { en: 'File unavailable', nl: 'Bestand niet beschikbaar' },
    en: 'The file exists, but the server cannot read it at the moment. The request itself is valid; the cause was logged. Try again later.',
    nl: 'Het bestand bestaat, maar de server kan het op dit moment niet lezen. Aan het verzoek ligt het niet; de oorzaak is vastgelegd. Probeer het later opnieuw.',
  },
  overloaded: {
    status: 503,
    title: { en: 'Overloaded', nl: 'Overbelast' },
    en: 'The server has reached its limit of concurrent requests, so this request was not started. Retry after the number of seconds in the header Retry-After, and send requests one after another. Downloads have a separate limit.',
    nl: 'De server verwerkt al het maximale aantal verzoeken tegelijk en heeft dit verzoek niet in behandeling genomen. Probeer het opnieuw na het aantal seconden in de header Retry-After, en verstuur verzoeken na elkaar. Voor downloads geldt een eigen maximum.',
  },
  starting: {
    status: 503,
    title: { en: 'Starting', nl: 'Wordt gestart' },
    en: 'The server is starting: it is waiting for the database or opening the search index. Retry after the number of seconds in the header Retry-After.',
    nl: 'De server wordt gestart: de database of de zoekindex is nog niet gereed. Probeer het opnieuw na het aantal seconden in de header Retry-After.',
  },
  'not-current': {
    status: 503,
    title: { en: 'Possibly out of date', nl: 'Mogelijk niet actueel' },
    en: 'This server has lost its connection to the current data, so that it might show records that have been changed or withdrawn. It responds again as soon as it can confirm that its data is up to date. Retry later, or use another server of the archive.',
    nl: 'Deze server heeft geen verbinding met de actuele gegevens en zou records kunnen tonen die intussen gewijzigd of ingetrokken zijn. Zodra vaststaat dat de gegevens actueel zijn, antwoordt de server weer. Probeer het later opnieuw, of gebruik een andere server van het archief.',
  },
  'search-timeout': {
    status: 503,
    title: { en: 'Search timeout', nl: 'Zoeken duurde te lang' },
    en: 'The search exceeded the time limit and was stopped. Use a more specific query, or try again later.',
    nl: 'De zoekopdracht duurde te lang en is afgebroken. Maak de zoekvraag specifieker, of probeer het later opnieuw.',
  },
  'search-busy': {
    status: 503,
    title: { en: 'Search busy', nl: 'Zoeken is overbelast' },
    en: 'Too many searches are running or waiting. The query itself is valid: retry after a moment. Lists and single records are still available.',
    nl: 'Er lopen te veel zoekopdrachten tegelijk. Aan de zoekvraag ligt het niet: probeer het over enkele ogenblikken opnieuw. Lijsten en afzonderlijke records zijn wel beschikbaar.',
  },
  'search-unavailable': {
    status: 503,
    title: { en: 'Search unavailable', nl: 'Zoeken is tijdelijk niet mogelijk' },
    en: 'The search index of this edition is being built. The server does this automatically: once per edition, and again if the index is lost or damaged. Retry after a moment. Lists and single records are still available.',
    nl: 'De zoekindex van deze editie wordt opgebouwd. Dat gebeurt automatisch: eenmaal per editie, en opnieuw als de index verloren is gegaan. Probeer het over enkele ogenblikken opnieuw. Lijsten en afzonderlijke records zijn wel beschikbaar.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemName = keyof typeof PROBLEMS;

/** Extension members of a problem (RFC 9457, section 3.2), for programs. */
export type ProblemMembers = Readonly<
  Record<string, string | number | readonly string[] | readonly number[]>
>;

/** An error response: `application/problem+json` (RFC 9457); only its title is in the language of the request. */
export class Problem extends Error {
  override name = 'Problem';
  readonly problem: ProblemName;
  /** A description of a valid value. */
  readonly expected: string | undefined;
  readonly members: ProblemMembers;

  /** @param detail what is wrong; by default the meaning of the kind of problem */
  constructor(problem: ProblemName, detail?: string, expected?: string, members: ProblemMembers = {}) {
    const kind: ProblemKind = PROBLEMS[problem];
    super(detail ?? kind.en);
    this.problem = problem;
    this.expected = expected;
    this.members = members;
  }

  get status(): number {
    return PROBLEMS[this.problem].status;
  }

  /** The body of the response: type, title, status, detail, and what was expected, if known. */
  toBody(language: Language, baseUrl: string): object {
    const { status, title } = PROBLEMS[this.problem];
    return {
      // The address of the help page.
      type: `${baseUrl}/problems/${this.problem}`,
      title: title[language],
      status,
      detail: this.message,
      ...(this.expected !== undefined && { expected: this.expected }),
      ...this.members,
    };
  }
}

/**
 * An unknown name, with the nearest valid one, if any.
 *
 * @param what the beginning of the sentence, such as `Unknown field "titel"`
 * @param valid the valid names, which are the member `fields`
 */
export function unknownName(
  problem: ProblemName,
  what: string,
  { name, valid }: { name: string; valid: readonly string[] },
  expected: string,
): Problem {
  const nearest = nearestName(name, valid);
  return new Problem(problem, `${what}${didYouMean(nearest)}`, expected, {
    fields: valid,
    ...(nearest !== undefined && { nearest }),
  });
}

/** Ends a sentence about an unknown name: with a full stop, or with the nearest valid name. */
export function didYouMean(nearest: string | undefined, language: Language = 'en'): string {
  const question = language === 'en' ? 'did you mean' : 'bedoelde u';
  return nearest === undefined ? '.' : `; ${question} "${nearest}"?`;
}

/** The path does not exist. */
export function noSuchPath(path: string): Problem {
  return new Problem(
    'not-found',
    `No resource at ${path}.`,
    'a path such as /en/api/persons, /nl/api/search or /en/api/locations/<uuid>',
  );
}

/** The requested edition is not kept: it was swept, or has not been published yet. */
export function editionNotKept(
  named: number,
  newest: number,
  expected: string,
  members: ProblemMembers,
): Problem {
  return named > newest
    ? new Problem('no-such-edition', `Edition ${named} does not exist yet.`, expected, members)
    : new Problem('edition-gone', `Edition ${named} is no longer kept.`, expected, members);
}

/** The page is out of range; `last` is the last page, if known. */
export function invalidPage(last?: number): Problem {
  const expected = last === undefined ? 'of at least 1' : `from 1 to ${last}`;
  return new Problem('invalid-page', 'Invalid page.', `a whole number ${expected}`);
}
