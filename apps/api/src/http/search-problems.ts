import { COLLECTIONS, type Kind, type Language } from '@archiefkast/types';
import { parseQuery, type Query, QueryError, type QueryFault } from '../search/index.ts';
import { didYouMean, Problem, type ProblemMembers } from './problems.ts';

/**
 * Parses a query.
 *
 * @param kind the kind of the wanted records, if the query need not name it
 * @throws Problem that describes the error and a valid value, with the nearest valid queries as `corrections`
 */
export function parseSearch(q: string, kind?: Kind): Query {
  try {
    return parseQuery(q, kind);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { fault, corrections } = error;
    throw new Problem('invalid-query', ...describeFault(fault, 'en'), {
      ...membersOf(fault),
      ...(corrections.length > 0 && { corrections }),
    });
  }
}

/** What is wrong with a query, and what was expected, for people. */
export function describeFault(fault: QueryFault, language: Language): FaultText {
  const texts: Readonly<Record<string, (fault: never) => FaultText>> = FAULT_TEXTS[language];
  return texts[fault.reason]?.(fault as never) ?? ['', ''];
}

/** The valid names of a fault, for programs. */
function membersOf(fault: QueryFault): ProblemMembers {
  switch (fault.reason) {
    case 'unknown-field': {
      const { fields, nearest } = fault;
      return { fields, ...(nearest !== undefined && { nearest }) };
    }
    case 'unknown-kind':
      return { kinds: fault.kinds };
    case 'unknown-value':
      return { values: fault.values };
    default:
      return {};
  }
}

type FaultText = readonly [detail: string, expected: string];

type FaultTexts = {
  readonly [Reason in QueryFault['reason']]: (fault: Extract<QueryFault, { reason: Reason }>) => FaultText;
};

/** An invalid value of a field. */
interface InvalidValue {
  field: string;
  value: string;
}

const english = ({ field, value }: InvalidValue, reason: string, expected: string): FaultText => [
  `Invalid value for field "${field}": "${value}" ${reason}.`,
  expected,
];

const dutch = ({ field, value }: InvalidValue, reason: string, expected: string): FaultText => [
  `Ongeldige waarde voor veld "${field}": "${value}" ${reason}.`,
  expected,
];

const QUERY = {
  en: 'words, or field:value such as last_name:vries',
  nl: 'woorden, of veld:waarde zoals last_name:vries',
};

const RANGE = {
  en: 'a range of years or dates such as 1620..1650, 1620.. or 1620-03-01..1620-04',
  nl: 'een periode in jaren of data, zoals 1620..1650, 1620.. of 1620-03-01..1620-04',
};

/** The Dutch names of the kinds. */
const DUTCH_KINDS: Readonly<Record<Kind, string>> = {
  person: 'personen',
  subject: 'onderwerpen',
  location: 'locaties',
  event: 'gebeurtenissen',
};

const kindClauses = (kinds: readonly Kind[]) => kinds.map((each) => `kind:${each}`).join(', ');

const ENGLISH: FaultTexts = {
  'empty-query': () => ['The query is empty.', QUERY.en],
  'too-long': ({ characters, limit }) => [
    `The query has ${characters} characters.`,
    `at most ${limit} characters`,
  ],
  'too-many-clauses': ({ limit }) => [
    'The query has too many words and clauses.',
    `at most ${limit} words and clauses`,
  ],
  'too-many-starts': ({ limit }) => [
    'The query has too many starts of words.',
    `at most ${limit} words that end with *`,
  ],
  'unknown-field': ({ field, nearest, fields }) => [
    `Unknown field "${field}"${didYouMean(nearest)} Valid fields: ${fields.join(', ')}.`,
    nearest === undefined ? fields.join(', ') : `${nearest}:…`,
  ],
  'empty-value': ({ field }) => [`Missing value for field "${field}".`, `${field}:value`],
  'unknown-kind': ({ value, kinds }) => [`Unknown kind "${value}".`, `one of ${kinds.join(', ')}`],
  'other-kind': ({ field, kinds, kind }) => [
    `Field "${field}" is one of ${kinds.map((each) => COLLECTIONS[each]).join(', ')}; the query demands kind:${kind}.`,
    `a field of ${COLLECTIONS[kind]}, or ${kindClauses(kinds)}`,
  ],
  'several-kinds': ({ kinds }) => [
    `A record has one kind, not ${kinds.join(' and ')}.`,
    'one kind, or kinds joined by OR',
  ],
  'excluded-alternative': () => [
    'OR stands beside an excluded word or clause.',
    'OR between words or clauses without -',
  ],
  'malformed-id': (fault) => english(fault, 'is not a number', 'the id of one record, such as 12'),
  'malformed-uuid': (fault) =>
    english(fault, 'is not part of a UUID', 'digits, letters from a to f and hyphens'),
  'malformed-date': (fault) =>
    english(
      fault,
      'is not part of a date',
      `a year, a month or a day such as 1620, 1620-03 or 1620-03-01, or ${RANGE.en}`,
    ),
  'malformed-range': (fault) => english(fault, 'is not a range', RANGE.en),
  'inverted-range': ({ field, value }) => [
    `Invalid range for field "${field}": "${value}" ends before it starts.`,
    RANGE.en,
  ],
  'unknown-value': (fault) => english(fault, 'is not a known value', `one of ${fault.values.join(', ')}`),
  'malformed-century': (fault) => english(fault, 'is not a century', 'the number of a century, such as 17'),
  'malformed-circle': (fault) =>
    english(
      fault,
      'is not a circle',
      'latitude,longitude,distance such as 52.37,4.89,500m or 52.37,4.89,2km',
    ),
  'malformed-box': (fault) =>
    english(fault, 'is not a bounding box', 'south,west,north,east in degrees, such as 52.3,4.8,52.4,5.0'),
  'malformed-reference': (fault) =>
    english(fault, 'is not a reference to a record', 'the UUID or id of a record'),
  'nothing-searchable': ({ value }) => [`"${value}" contains no letters or digits to search for.`, QUERY.en],
};

const DUTCH: FaultTexts = {
  'empty-query': () => ['De zoekvraag is leeg.', QUERY.nl],
  'too-long': ({ characters, limit }) => [
    `De zoekvraag heeft ${characters} tekens.`,
    `hoogstens ${limit} tekens`,
  ],
  'too-many-clauses': ({ limit }) => [
    'De zoekvraag bevat te veel woorden en termen.',
    `hoogstens ${limit} woorden en termen`,
  ],
  'too-many-starts': ({ limit }) => [
    'De zoekvraag bevat te veel woorden met een sterretje.',
    `hoogstens ${limit} woorden die eindigen op *`,
  ],
  'unknown-field': ({ field, nearest, fields }) => [
    `Onbekend veld "${field}"${nearest === undefined ? '.' : `; bedoelde u "${nearest}"?`} Geldige velden: ${fields.join(', ')}.`,
    nearest === undefined ? fields.join(', ') : `${nearest}:…`,
  ],
  'empty-value': ({ field }) => [`De waarde voor veld "${field}" ontbreekt.`, `${field}:waarde`],
  'unknown-kind': ({ value, kinds }) => [`Onbekende soort "${value}".`, `een van ${kinds.join(', ')}`],
  'other-kind': ({ field, kinds, kind }) => [
    `Veld "${field}" hoort bij ${kinds.map((each) => DUTCH_KINDS[each]).join(', ')}; de zoekvraag eist kind:${kind}.`,
    `een veld van ${DUTCH_KINDS[kind]}, of ${kindClauses(kinds)}`,
  ],
  'several-kinds': ({ kinds }) => [
    `Een record heeft één soort, niet ${kinds.join(' en ')}.`,
    'één soort, of soorten met OR ertussen',
  ],
  'excluded-alternative': () => [
    'OR staat naast een uitgesloten woord of term.',
    'OR tussen woorden of termen zonder -',
  ],
  'malformed-id': (fault) => dutch(fault, 'is geen getal', 'het id van één record, zoals 12'),
  'malformed-uuid': (fault) =>
    dutch(fault, 'is geen deel van een uuid', 'cijfers, letters van a tot en met f en koppeltekens'),
  'malformed-date': (fault) =>
    dutch(
      fault,
      'is geen deel van een datum',
      `een jaar, maand of dag zoals 1620, 1620-03 of 1620-03-01, of ${RANGE.nl}`,
    ),
  'malformed-range': (fault) => dutch(fault, 'is geen periode', RANGE.nl),
  'inverted-range': ({ field, value }) => [
    `Ongeldige periode voor veld "${field}": "${value}" eindigt voor het begin.`,
    RANGE.nl,
  ],
  'unknown-value': (fault) => dutch(fault, 'is geen bekende waarde', `een van ${fault.values.join(', ')}`),
  'malformed-century': (fault) => dutch(fault, 'is geen eeuw', 'het nummer van een eeuw, zoals 17'),
  'malformed-circle': (fault) =>
    dutch(fault, 'is geen cirkel', 'breedte,lengte,afstand zoals 52.37,4.89,500m of 52.37,4.89,2km'),
  'malformed-box': (fault) =>
    dutch(fault, 'is geen rechthoek', 'zuid,west,noord,oost in graden, zoals 52.3,4.8,52.4,5.0'),
  'malformed-reference': (fault) =>
    dutch(fault, 'verwijst niet naar een record', 'de uuid of het id van een record'),
  'nothing-searchable': ({ value }) => [
    `"${value}" bevat geen letters of cijfers om op te zoeken.`,
    QUERY.nl,
  ],
};

const FAULT_TEXTS: Readonly<Record<Language, FaultTexts>> = { en: ENGLISH, nl: DUTCH };
