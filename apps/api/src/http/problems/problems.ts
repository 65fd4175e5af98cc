import type { Language } from '@archiefkast/types';

/** A sentence in both languages. */
export type Bilingual = Readonly<Record<Language, string>>;

/** The same in both languages: names, numbers, lists of them. */
export function inBoth(text: string): Bilingual {
  return { en: text, nl: text };
}

/** The end of a sentence about a name that there is not: its full stop, or the question which was meant. */
export function didYouMean(nearest: string | undefined): Bilingual {
  return nearest === undefined
    ? inBoth('.')
    : { en: `; did you mean "${nearest}"?`, nl: `; bedoelde u "${nearest}"?` };
}

/** What there is to know of a kind of problem. */
interface ProblemKind {
  status: number;
  title: Bilingual;
  /** What it means and what to do about it: the text of its help page. */
  help: Bilingual;
}

/** The problems of the parameters that say what is wanted, and in which order. */
const SELECTION_PROBLEMS = {
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

/** Every kind of problem that an answer can report. The name is the last segment of its `type`, and never changes. */
export const PROBLEMS = {
  ...SELECTION_PROBLEMS,
  'not-found': {
    status: 404,
    title: { en: 'Not found', nl: 'Niet gevonden' },
    help: {
      en: 'There is nothing at this address: no such path, or no record with this uuid in the edition that is served. Addresses are case-sensitive and begin with a language, en or nl. A record that was there before may have been withdrawn.',
      nl: 'Op dit adres is niets: het pad bestaat niet, of de geserveerde editie heeft geen record met deze uuid. Adressen zijn hoofdlettergevoelig en beginnen met een taal, en of nl. Een record dat er eerder was, kan zijn teruggetrokken.',
    },
  },
  'invalid-page': {
    status: 404,
    title: { en: 'Invalid page', nl: 'Ongeldige pagina' },
    help: {
      en: 'The page is not a whole number from 1, or lies beyond the last page. Follow the links next and previous instead of counting: next is null on the last page.',
      nl: 'De pagina is geen geheel getal vanaf 1, of ligt voorbij de laatste pagina. Volg de links next en previous in plaats van te tellen: next is null op de laatste pagina.',
    },
  },
  'invalid-query': {
    status: 400,
    title: { en: 'Invalid search query', nl: 'Ongeldige zoekvraag' },
    help: {
      en: 'The parameter q cannot be understood. It holds words, or clauses such as last_name:vries and city:"Den Haag", all of which must hold. The member expected says what would have been right; fields lists the fields that there are.',
      nl: 'De parameter q is niet te begrijpen. Hij bevat woorden, of termen als last_name:vries en city:"Den Haag", die alle moeten gelden. Het onderdeel expected zegt wat goed was geweest; fields noemt de velden die er zijn.',
    },
  },
  'invalid-format': {
    status: 400,
    title: { en: 'Invalid format', nl: 'Ongeldig formaat' },
    help: {
      en: 'The parameter format has the value api or is left out. The body is JSON either way.',
      nl: 'De parameter format heeft de waarde api of ontbreekt. Het antwoord is in beide gevallen JSON.',
    },
  },
  'invalid-edition': {
    status: 400,
    title: { en: 'Invalid edition', nl: 'Ongeldige editie' },
    help: {
      en: 'The parameter edition is the number of a kept edition, as the header Archive-Edition gives it. Leave it out for the edition that is served now.',
      nl: 'De parameter edition is het nummer van een bewaarde editie, zoals de header Archive-Edition het geeft. Laat hem weg voor de editie die nu wordt geserveerd.',
    },
  },
  'no-such-edition': {
    status: 404,
    title: { en: 'No such edition', nl: 'Geen zodanige editie' },
    help: {
      en: 'No edition with this number has been published yet. The number comes from the header Archive-Edition of an answer.',
      nl: 'Er is nog geen editie met dit nummer gepubliceerd. Het nummer komt uit de header Archive-Edition van een antwoord.',
    },
  },
  'edition-gone': {
    status: 410,
    title: { en: 'Edition gone', nl: 'Editie verdwenen' },
    help: {
      en: 'The edition that the parameter edition names is not kept any more: newer ones have taken its place. Begin the walk again, without edition or with the one that the header Archive-Edition names.',
      nl: 'De editie die de parameter edition noemt, wordt niet meer bewaard: nieuwere zijn ervoor in de plaats gekomen. Begin opnieuw, zonder edition of met de editie die de header Archive-Edition noemt.',
    },
  },
  'invalid-suggestion': {
    status: 400,
    title: { en: 'Invalid request for suggestions', nl: 'Ongeldige vraag om suggesties' },
    help: {
      en: 'Suggestions are values of one field in which a word begins with prefix. The parameter field names it; the member fields lists the fields that have suggestions.',
      nl: 'Suggesties zijn waarden van één veld waarin een woord met prefix begint. De parameter field noemt het veld; het onderdeel fields noemt de velden die suggesties hebben.',
    },
  },
  'unknown-parameter': {
    status: 400,
    title: { en: 'Unknown parameter', nl: 'Onbekende parameter' },
    help: {
      en: 'The request asked for strict handling (Prefer: handling=strict) and has a parameter that this endpoint does not know. Without that header, unknown parameters are ignored.',
      nl: 'Het verzoek vroeg om strikte behandeling (Prefer: handling=strict) en heeft een parameter die dit endpoint niet kent. Zonder die header worden onbekende parameters genegeerd.',
    },
  },
  'invalid-range': {
    status: 416,
    title: { en: 'Invalid range', nl: 'Ongeldig bereik' },
    help: {
      en: 'The header Range asks for a part that begins beyond the end of the file. The header Content-Range of the answer tells its size.',
      nl: 'De header Range vraagt om een deel dat voorbij het einde van het bestand begint. De header Content-Range van het antwoord noemt de grootte.',
    },
  },
  'method-not-allowed': {
    status: 405,
    title: { en: 'Method not allowed', nl: 'Methode niet toegestaan' },
    help: {
      en: 'The archive is read-only: use GET, HEAD or OPTIONS.',
      nl: 'Het archief is alleen te lezen: gebruik GET, HEAD of OPTIONS.',
    },
  },
  'bad-request': {
    status: 400,
    title: { en: 'Bad request', nl: 'Onjuist verzoek' },
    help: {
      en: 'The request is not HTTP as the standard has it, so it could not be read.',
      nl: 'Het verzoek is geen HTTP volgens de standaard en kon niet worden gelezen.',
    },
  },
  'expectation-failed': {
    status: 417,
    title: { en: 'Expectation failed', nl: 'Verwachting niet ingelost' },
    help: {
      en: 'The header Expect of the request asks for something that the server does not do. It knows 100-continue only; leave the header out.',
      nl: 'De header Expect van het verzoek vraagt iets wat de server niet doet. Hij kent alleen 100-continue; laat de header weg.',
    },
  },
  'request-timeout': {
    status: 408,
    title: { en: 'Request timeout', nl: 'Verzoek duurde te lang' },
    help: {
      en: 'The request did not arrive in full within the time that the server waits for it. Send it again.',
      nl: 'Het verzoek kwam niet volledig aan binnen de tijd die de server erop wacht. Stuur het opnieuw.',
    },
  },
  'url-too-long': {
    status: 414,
    title: { en: 'URL too long', nl: 'URL te lang' },
    help: {
      en: 'The address is longer than the server reads. A shorter q finds as much: it may have at most 1,000 characters.',
      nl: 'Het adres is langer dan de server leest. Een kortere q vindt evenveel: hij mag hoogstens 1.000 tekens hebben.',
    },
  },
  'headers-too-large': {
    status: 431,
    title: { en: 'Headers too large', nl: 'Headers te groot' },
    help: {
      en: 'The headers of the request, its address included, are larger than the server reads. Leave out cookies and other headers that the archive has no use for.',
      nl: 'De headers van het verzoek, het adres meegeteld, zijn groter dan de server leest. Laat cookies weg, en andere headers waar het archief niets mee doet.',
    },
  },
  'internal-error': {
    status: 500,
    title: { en: 'Internal error', nl: 'Interne fout' },
    help: {
      en: 'The server failed; the fault is not in the request. It has been logged under the number in the header X-Request-Id. Try again later, and give that number when reporting it.',
      nl: 'De server faalde; de fout ligt niet aan het verzoek. Ze is vastgelegd onder het nummer in de header X-Request-Id. Probeer het later opnieuw, en noem dat nummer bij een melding.',
    },
  },
  'unwritable-record': {
    status: 500,
    title: { en: 'A record cannot be written', nl: 'Een record kan niet worden geschreven' },
    help: {
      en: 'A file with all records cannot be made, because one of them cannot be written in its form. Trying again does not help; kind, id and uuid name the record, and the log of the server has the reason. Whoever publishes the archive has to correct the record, or publish it again.',
      nl: 'Een bestand met alle records kan niet worden gemaakt, omdat een ervan niet in die vorm te schrijven is. Opnieuw proberen helpt niet; kind, id en uuid noemen het record, en het log van de server heeft de reden. Wie het archief publiceert moet het record verbeteren, of opnieuw publiceren.',
    },
  },
  'nothing-published': {
    status: 503,
    title: { en: 'Nothing published yet', nl: 'Nog niets gepubliceerd' },
    help: {
      en: 'The server runs, but no edition of the archive has been published yet.',
      nl: 'De server draait, maar er is nog geen editie van het archief gepubliceerd.',
    },
  },
  'being-prepared': {
    status: 503,
    title: { en: 'Being prepared', nl: 'In voorbereiding' },
    help: {
      en: 'Size and SHA-256 of the dumps are found once for every edition, when the manifest is first asked for; in a large archive that takes longer than an answer may. Ask again after some seconds. The dumps themselves can be downloaded meanwhile.',
      nl: 'Grootte en SHA-256 van de bestanden worden eenmaal per editie bepaald, zodra het manifest wordt gevraagd; in een groot archief duurt dat langer dan een antwoord mag. Vraag het na enkele seconden opnieuw. De bestanden zelf zijn intussen te downloaden.',
    },
  },
  'edition-changing': {
    status: 503,
    title: { en: 'The edition is changing', nl: 'De editie verandert' },
    help: {
      en: 'The edition was replaced while the answer was being made, and its successor was too. Try again in a second.',
      nl: 'De editie werd vervangen terwijl het antwoord werd gemaakt, en haar opvolger ook. Probeer het over een seconde opnieuw.',
    },
  },
  'database-unavailable': {
    status: 503,
    title: { en: 'Database unavailable', nl: 'Database niet bereikbaar' },
    help: {
      en: 'The server cannot reach its database at the moment, or did not get an answer from it in time. Nothing is wrong with the request. Try again after the seconds that the header Retry-After names.',
      nl: 'De server kan zijn database op dit moment niet bereiken, of kreeg er niet op tijd antwoord van. Aan het verzoek ligt het niet. Probeer het opnieuw na het aantal seconden dat de header Retry-After noemt.',
    },
  },
  'file-unavailable': {
    status: 503,
    title: { en: 'File unavailable', nl: 'Bestand niet beschikbaar' },
    help: {
      en: 'The file is there, but the server cannot read it at the moment. Nothing is wrong with the request; the cause has been logged. Try again later.',
      nl: 'Het bestand is er, maar de server kan het op dit moment niet lezen. Aan het verzoek ligt het niet; de oorzaak is vastgelegd. Probeer het later opnieuw.',
    },
  },
  overloaded: {
    status: 503,
    title: { en: 'Overloaded', nl: 'Overbelast' },
    help: {
      en: 'More is asked of the server than it takes at a time, so this request was not begun. Try again after the seconds that the header Retry-After names, and ask for one thing after another; downloads have a bound of their own.',
      nl: 'Er wordt meer van de server gevraagd dan hij tegelijk aankan; aan dit verzoek is niet begonnen. Probeer het opnieuw na het aantal seconden dat de header Retry-After noemt, en vraag het een na het ander; voor downloads geldt een eigen grens.',
    },
  },
  starting: {
    status: 503,
    title: { en: 'Starting', nl: 'Start op' },
    help: {
      en: 'The server has just been started, and is not ready yet: it waits for its database, or prepares the search index. Try again after the seconds that the header Retry-After names.',
      nl: 'De server is net gestart en nog niet klaar: hij wacht op zijn database, of maakt de zoekindex. Probeer het opnieuw na het aantal seconden dat de header Retry-After noemt.',
    },
  },
  'search-timeout': {
    status: 503,
    title: { en: 'Search took too long', nl: 'Zoeken duurde te lang' },
    help: {
      en: 'The search was stopped because it took too long. Make the query narrower, or try again later.',
      nl: 'De zoekvraag is gestopt omdat ze te lang duurde. Maak de vraag nauwer, of probeer het later opnieuw.',
    },
  },
  'search-busy': {
    status: 503,
    title: { en: 'Search is busy', nl: 'Zoeken is bezet' },
    help: {
      en: 'More is being searched for than the server can answer within a second. Nothing is wrong with the query: send it again after a moment. Lists and single records are answered meanwhile.',
      nl: 'Er wordt meer gezocht dan de server binnen een seconde kan beantwoorden. Aan de zoekvraag mankeert niets: stuur haar zo dadelijk opnieuw. Lijsten en losse records worden intussen wel gegeven.',
    },
  },
  'search-unavailable': {
    status: 503,
    title: { en: 'No search at this moment', nl: 'Zoeken kan even niet' },
    help: {
      en: 'The search index of this edition is being made; the server does so by itself, once for an edition and again when it was lost. Send the query again after a moment. Lists and single records are answered meanwhile.',
      nl: 'De zoekindex van deze editie wordt gemaakt; dat doet de server vanzelf, eenmaal per editie en nogmaals als hij verloren ging. Stuur de zoekvraag zo dadelijk opnieuw. Lijsten en losse records worden intussen wel gegeven.',
    },
  },
} as const satisfies Record<string, ProblemKind>;

/** The name of a kind of problem. */
export type ProblemName = keyof typeof PROBLEMS;

/** Members of a problem beyond those of RFC 9457: lists that a program can use. */
export type ProblemMembers = Readonly<
  Record<string, string | number | readonly string[] | readonly number[]>
>;

/** A request that cannot be answered as asked; becomes `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  override name = 'Problem';
  readonly problem: ProblemName;
  readonly detail: Bilingual;
  /** What would have been right. */
  readonly expected: Bilingual | undefined;
  readonly members: ProblemMembers;

  constructor(
    problem: ProblemName,
    detail: Bilingual,
    expected?: Bilingual | undefined,
    members: ProblemMembers = {},
  ) {
    super(detail.en);
    this.problem = problem;
    this.detail = detail;
    this.expected = expected;
    this.members = members;
  }

  get status(): number {
    return PROBLEMS[this.problem].status;
  }

  /** The body of the answer: type, title, status and detail, and what was expected where that helps. */
  toBody(language: Language, baseUrl: string): object {
    const { status, title } = PROBLEMS[this.problem];
    return {
      type: problemType(baseUrl, this.problem),
      title: title[language],
      status,
      detail: this.detail[language],
      ...(this.expected && { expected: this.expected[language] }),
      ...this.members,
    };
  }
}

/** The `type` of a problem: the address of its help page. */
function problemType(baseUrl: string, name: ProblemName): string {
  return `${baseUrl}/problems/${name}`;
}
