import { KIND_NAMES, type Kind, type Language } from '@archiefkast/types';
import type { QueryError, QueryFault } from '../search/index.ts';
import { didYouMean, Problem, type ProblemMembers } from './problems.ts';

/** The problem of an invalid query: the error, a valid value, and the nearest valid queries as `corrections`. */
export function invalidQuery({ fault, corrections }: QueryError): Problem {
  return new Problem('invalid-query', ...describeFault(fault, 'en'), {
    ...membersOf(fault),
    ...(corrections.length > 0 && { corrections }),
  });
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

const QUERY = {
  en: 'words, or field:value such as last_name:vries',
  nl: 'woorden, of veld:waarde zoals last_name:vries',
};

const RANGE = {
  en: 'a range of years or dates such as 1620..1650, 1620.. or 1620-03-01..1620-04',
  nl: 'een periode in jaren of data, zoals 1620..1650, 1620.. of 1620-03-01..1620-04',
};

/** What is wrong with a query, and what was expected, for people. */
export function describeFault(fault: QueryFault, language: Language): FaultText {
  const say = (english: FaultText, dutch: FaultText) => (language === 'en' ? english : dutch);
  const nameKinds = (...kinds: readonly Kind[]) =>
    kinds.map((kind) => KIND_NAMES[language][kind].many.toLowerCase()).join(', ');
  switch (fault.reason) {
    case 'empty-query':
      return say(['The query is empty.', QUERY.en], ['De zoekvraag is leeg.', QUERY.nl]);
    case 'too-long': {
      const { characters, limit } = fault;
      return say(
        [`The query has ${characters} characters.`, `at most ${limit} characters`],
        [`De zoekvraag heeft ${characters} tekens.`, `hoogstens ${limit} tekens`],
      );
    }
    case 'too-many-clauses': {
      const { limit } = fault;
      return say(
        ['The query has too many words and clauses.', `at most ${limit} words and clauses`],
        ['De zoekvraag bevat te veel woorden en termen.', `hoogstens ${limit} woorden en termen`],
      );
    }
    case 'too-many-starts': {
      const { limit } = fault;
      return say(
        ['The query has too many starts of words.', `at most ${limit} words that end with *`],
        [
          'De zoekvraag bevat te veel woorden met een sterretje.',
          `hoogstens ${limit} woorden die eindigen op *`,
        ],
      );
    }
    case 'unknown-field': {
      const { field, nearest } = fault;
      const fields = fault.fields.join(', ');
      const meant = nearest === undefined ? '.' : `; bedoelde u "${nearest}"?`;
      const expected = nearest === undefined ? fields : `${nearest}:…`;
      return say(
        [`Unknown field "${field}"${didYouMean(nearest)} Valid fields: ${fields}.`, expected],
        [`Onbekend veld "${field}"${meant} Geldige velden: ${fields}.`, expected],
      );
    }
    case 'empty-value': {
      const { field } = fault;
      return say(
        [`Missing value for field "${field}".`, `${field}:value`],
        [`De waarde voor veld "${field}" ontbreekt.`, `${field}:waarde`],
      );
    }
    case 'unknown-kind': {
      const [value, kinds] = [fault.value, fault.kinds.join(', ')];
      return say(
        [`Unknown kind "${value}".`, `one of ${kinds}`],
        [`Onbekende soort "${value}".`, `een van ${kinds}`],
      );
    }
    case 'other-kind': {
      const { field, kinds, kind } = fault;
      const [names, name] = [nameKinds(...kinds), nameKinds(kind)];
      const clauses = kinds.map((each) => `kind:${each}`).join(', ');
      return say(
        [
          `Field "${field}" is one of ${names}; the query demands kind:${kind}.`,
          `a field of ${name}, or ${clauses}`,
        ],
        [
          `Veld "${field}" hoort bij ${names}; de zoekvraag eist kind:${kind}.`,
          `een veld van ${name}, of ${clauses}`,
        ],
      );
    }
    case 'several-kinds':
      return say(
        [`A record has one kind, not ${fault.kinds.join(' and ')}.`, 'one kind, or kinds joined by OR'],
        [
          `Een record heeft één soort, niet ${fault.kinds.join(' en ')}.`,
          'één soort, of soorten met OR ertussen',
        ],
      );
    case 'excluded-alternative':
      return say(
        ['OR stands beside an excluded word or clause.', 'OR between words or clauses without -'],
        ['OR staat naast een uitgesloten woord of term.', 'OR tussen woorden of termen zonder -'],
      );
    case 'inverted-range': {
      const { field, value } = fault;
      return say(
        [`Invalid range for field "${field}": "${value}" ends before it starts.`, RANGE.en],
        [`Ongeldige periode voor veld "${field}": "${value}" eindigt voor het begin.`, RANGE.nl],
      );
    }
    case 'nothing-searchable':
      return say(
        [`"${fault.value}" contains no letters or digits to search for.`, QUERY.en],
        [`"${fault.value}" bevat geen letters of cijfers om op te zoeken.`, QUERY.nl],
      );
    default: {
      const { field, value } = fault;
      const [reason, expected] = INVALID_VALUES[fault.reason][language];
      const values = 'values' in fault ? fault.values.join(', ') : '';
      return say(
        [`Invalid value for field "${field}": "${value}" ${reason}.`, expected + values],
        [`Ongeldige waarde voor veld "${field}": "${value}" ${reason}.`, expected + values],
      );
    }
  }
}

/** A fault of the value of a field. */
type InvalidValue = Extract<QueryFault['reason'], `malformed-${string}` | 'unknown-value'>;

/** What is wrong with the value of a field, and what was expected. */
const INVALID_VALUES: Readonly<Record<InvalidValue, Readonly<Record<Language, FaultText>>>> = {
  'malformed-id': {
    en: ['is not a number', 'the id of one record, such as 12'],
    nl: ['is geen getal', 'het id van één record, zoals 12'],
  },
  'malformed-uuid': {
    en: ['is not part of a UUID', 'digits, letters from a to f and hyphens'],
    nl: ['is geen deel van een uuid', 'cijfers, letters van a tot en met f en koppeltekens'],
  },
  'malformed-date': {
    en: [
      'is not part of a date',
      `a year, a month or a day such as 1620, 1620-03 or 1620-03-01, or ${RANGE.en}`,
    ],
    nl: [
      'is geen deel van een datum',
      `een jaar, maand of dag zoals 1620, 1620-03 of 1620-03-01, of ${RANGE.nl}`,
    ],
  },
  'malformed-range': { en: ['is not a range', RANGE.en], nl: ['is geen periode', RANGE.nl] },
  'unknown-value': {
    en: ['is not a known value', 'one of '],
    nl: ['is geen bekende waarde', 'een van '],
  },
  'malformed-century': {
    en: ['is not a century', 'the number of a century, such as 17'],
    nl: ['is geen eeuw', 'het nummer van een eeuw, zoals 17'],
  },
  'malformed-circle': {
    en: ['is not a circle', 'latitude,longitude,distance such as 52.37,4.89,500m or 52.37,4.89,2km'],
    nl: ['is geen cirkel', 'breedte,lengte,afstand zoals 52.37,4.89,500m of 52.37,4.89,2km'],
  },
  'malformed-box': {
    en: ['is not a bounding box', 'south,west,north,east in degrees, such as 52.3,4.8,52.4,5.0'],
    nl: ['is geen rechthoek', 'zuid,west,noord,oost in graden, zoals 52.3,4.8,52.4,5.0'],
  },
  'malformed-reference': {
    en: ['is not a reference to a record', 'the UUID or id of a record'],
    nl: ['verwijst niet naar een record', 'de uuid of het id van een record'],
  },
};
