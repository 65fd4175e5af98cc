import { KIND_NAMES, type Kind, type Language } from '@archiefkast/types';
import type { ForeignUse, QueryError, QueryFault } from '../search/index.ts';
import { type Bilingual, didYouMean, Problem, type ProblemMembers } from './problems.ts';

/** The problem of an invalid query: the error, a valid value, and the nearest valid queries as `corrections`. */
export function invalidQuery({ fault, corrections }: QueryError): Problem {
  return new Problem('invalid-query', ...describeFault(fault, 'en'), {
    ...membersOf(fault),
    ...(corrections.length > 0 && { corrections }),
  });
}

/** The valid names of a fault, for programs. */
function membersOf(fault: QueryFault): ProblemMembers {
  if (fault.reason === 'unknown-kind') return { kinds: fault.kinds };
  if (fault.reason === 'unknown-value') return { values: fault.values };
  if (fault.reason !== 'unknown-field') return {};
  const { fields, nearest } = fault;
  return { fields, ...(nearest !== undefined && { nearest }) };
}

type FaultText = readonly [detail: string, expected: string];

/** What is wrong with a query, and what was expected, for people. */
export function describeFault(fault: QueryFault, language: Language): FaultText {
  const write: (fault: never) => Readonly<Record<Language, FaultText>> = FAULTS[fault.reason];
  return write(fault as never)[language];
}

const QUERY: Bilingual = {
  en: 'words, or field:value such as last_name:vries',
  nl: 'woorden, of veld:waarde zoals last_name:vries',
};

const RANGE: Bilingual = {
  en: 'a range of years or dates such as 1620..1650, 1620.. or 1620-03-01..1620-04',
  nl: 'een periode in jaren of data, zoals 1620..1650, 1620.. of 1620-03-01..1620-04',
};

/** What stands in the place of the syntax of other engines. */
const FOREIGN: Readonly<Record<ForeignUse, Bilingual>> = {
  wildcard: {
    en: '* only stands at the end of a free word of three letters or more',
    nl: '* staat alleen achter een los woord van drie letters of meer',
  },
  bracket: {
    en: 'there are no brackets; OR joins its neighbours',
    nl: 'haakjes bestaan niet; OR verbindt wat ernaast staat',
  },
  fuzzy: {
    en: 'words match as they are, without distances and weights',
    nl: 'woorden gelden zoals ze er staan, zonder afstand of gewicht',
  },
  expression: { en: 'there are no regular expressions', nl: 'reguliere expressies bestaan niet' },
  colon: {
    en: 'a colon stands between a field and its value, other texts with one are quoted',
    nl: 'een dubbele punt staat tussen veld en waarde, andere tekst ermee staat tussen aanhalingstekens',
  },
  quote: { en: 'phrases stand in double quotes', nl: 'woordgroepen staan tussen dubbele aanhalingstekens' },
  operator: {
    en: 'AND, OR and NOT join whole clauses, unless they are quoted',
    nl: 'AND, OR en NOT verbinden hele termen, tenzij ze tussen aanhalingstekens staan',
  },
};

const FAULTS: {
  readonly [Reason in QueryFault['reason']]: (
    fault: QueryFault & { reason: Reason },
  ) => Readonly<Record<Language, FaultText>>;
} = {
  'empty-query': () => ({
    en: ['The query is empty.', QUERY.en],
    nl: ['De zoekvraag is leeg.', QUERY.nl],
  }),
  'too-long': ({ characters, limit }) => ({
    en: [`The query has ${characters} characters.`, `at most ${limit} characters`],
    nl: [`De zoekvraag heeft ${characters} tekens.`, `hoogstens ${limit} tekens`],
  }),
  'too-many-clauses': ({ limit }) => ({
    en: ['The query has too many words and clauses.', `at most ${limit} words and clauses`],
    nl: ['De zoekvraag bevat te veel woorden en termen.', `hoogstens ${limit} woorden en termen`],
  }),
  'too-many-starts': ({ limit }) => ({
    en: ['The query has too many starts of words.', `at most ${limit} words that end with *`],
    nl: [
      'De zoekvraag bevat te veel woorden met een sterretje.',
      `hoogstens ${limit} woorden die eindigen op *`,
    ],
  }),
  'unknown-field': ({ field, nearest, fields }) => {
    const [names, expected] = [fields.join(', '), nearest === undefined ? fields.join(', ') : `${nearest}:…`];
    return {
      en: [`Unknown field "${field}"${didYouMean(nearest)} Valid fields: ${names}.`, expected],
      nl: [`Onbekend veld "${field}"${didYouMean(nearest, 'nl')} Geldige velden: ${names}.`, expected],
    };
  },
  'empty-value': ({ field }) => ({
    en: [`Missing value for field "${field}".`, `${field}:value`],
    nl: [`De waarde voor veld "${field}" ontbreekt.`, `${field}:waarde`],
  }),
  'unknown-kind': ({ value, kinds }) => ({
    en: [`Unknown kind "${value}".`, `one of ${kinds.join(', ')}`],
    nl: [`Onbekende soort "${value}".`, `een van ${kinds.join(', ')}`],
  }),
  'other-kind': ({ field, kinds, kind }) => {
    const clauses = kinds.map((each) => `kind:${each}`).join(', ');
    const [en, nl] = [namesIn('en'), namesIn('nl')];
    return {
      en: [
        `Field "${field}" is one of ${en(kinds)}; the query demands kind:${kind}.`,
        `a field of ${en([kind])}, or ${clauses}`,
      ],
      nl: [
        `Veld "${field}" hoort bij ${nl(kinds)}; de zoekvraag eist kind:${kind}.`,
        `een veld van ${nl([kind])}, of ${clauses}`,
      ],
    };
  },
  'kinds-apart': ({ fields }) => ({
    en: [
      `No record can have all of ${fields.join(', ')}: they are fields of different kinds.`,
      'fields of one kind',
    ],
    nl: [
      `Geen record kan ${fields.join(', ')} samen hebben: het zijn velden van verschillende soorten.`,
      'velden van één soort',
    ],
  }),
  'several-values': ({ field, values }) => ({
    en: [`A record has one ${field}, not ${values.join(' and ')}.`, 'one value, or clauses joined by OR'],
    nl: [
      `Een record heeft één waarde voor ${field}, niet ${values.join(' en ')}.`,
      'één waarde, of termen met OR ertussen',
    ],
  }),
  contradiction: ({ text }) => ({
    en: [`"${text}" excludes what the query demands.`, QUERY.en],
    nl: [`"${text}" sluit uit wat de zoekvraag eist.`, QUERY.nl],
  }),
  'misplaced-operator': ({ operators }) => ({
    en: [
      `"${operators}" is not an operator here.`,
      'one of AND, OR, NOT and - between words, phrases or clauses',
    ],
    nl: [
      `"${operators}" is hier geen operator.`,
      'een van AND, OR, NOT en - tussen woorden, woordgroepen of termen',
    ],
  }),
  'foreign-syntax': ({ text, use }) => ({
    en: [`"${text}": ${FOREIGN[use].en}.`, QUERY.en],
    nl: [`"${text}": ${FOREIGN[use].nl}.`, QUERY.nl],
  }),
  'excluded-alternative': () => ({
    en: ['OR stands beside an excluded word or clause.', 'OR between words or clauses without -'],
    nl: ['OR staat naast een uitgesloten woord of term.', 'OR tussen woorden of termen zonder -'],
  }),
  'inverted-range': ({ field, value }) => ({
    en: [`Invalid range for field "${field}": "${value}" ends before it starts.`, RANGE.en],
    nl: [`Ongeldige periode voor veld "${field}": "${value}" eindigt voor het begin.`, RANGE.nl],
  }),
  'nothing-searchable': ({ value }) => ({
    en: [`"${value}" contains no letters or digits to search for.`, QUERY.en],
    nl: [`"${value}" bevat geen letters of cijfers om op te zoeken.`, QUERY.nl],
  }),
  'unknown-value': (fault) =>
    invalidValue(
      ['is not a known value', `one of ${fault.values.join(', ')}`],
      ['is geen bekende waarde', `een van ${fault.values.join(', ')}`],
    )(fault),
  'malformed-id': invalidValue(
    ['is not a number', 'the id of one record, such as 12'],
    ['is geen getal', 'het id van één record, zoals 12'],
  ),
  'malformed-uuid': invalidValue(
    ['is not part of a UUID', 'digits, letters from a to f and hyphens'],
    ['is geen deel van een uuid', 'cijfers, letters van a tot en met f en koppeltekens'],
  ),
  'malformed-date': invalidValue(
    ['is not part of a date', `a year, a month or a day such as 1620, 1620-03 or 1620-03-01, or ${RANGE.en}`],
    [
      'is geen deel van een datum',
      `een jaar, maand of dag zoals 1620, 1620-03 of 1620-03-01, of ${RANGE.nl}`,
    ],
  ),
  'malformed-range': invalidValue(['is not a range', RANGE.en], ['is geen periode', RANGE.nl]),
  'malformed-century': invalidValue(
    ['is not a century', 'the number of a century, such as 17'],
    ['is geen eeuw', 'het nummer van een eeuw, zoals 17'],
  ),
  'malformed-circle': invalidValue(
    ['is not a circle', 'latitude,longitude,distance such as 52.37,4.89,500m or 52.37,4.89,2km'],
    ['is geen cirkel', 'breedte,lengte,afstand zoals 52.37,4.89,500m of 52.37,4.89,2km'],
  ),
  'malformed-box': invalidValue(
    ['is not a bounding box', 'south,west,north,east in degrees, such as 52.3,4.8,52.4,5.0'],
    ['is geen rechthoek', 'zuid,west,noord,oost in graden, zoals 52.3,4.8,52.4,5.0'],
  ),
  'malformed-reference': invalidValue(
    ['is not a reference to a record', 'the UUID or id of a record'],
    ['verwijst niet naar een record', 'de uuid of het id van een record'],
  ),
};

/** The text of an invalid value of a field: what it is not, and what was expected, in both languages. */
function invalidValue([isNot, expected]: FaultText, [isGeen, verwacht]: FaultText) {
  return ({ field, value }: { field: string; value: string }): Record<Language, FaultText> => ({
    en: [`Invalid value for field "${field}": "${value}" ${isNot}.`, expected],
    nl: [`Ongeldige waarde voor veld "${field}": "${value}" ${isGeen}.`, verwacht],
  });
}

function namesIn(language: Language) {
  return (kinds: readonly Kind[]) =>
    kinds.map((kind) => KIND_NAMES[language][kind].many.toLowerCase()).join(', ');
}
