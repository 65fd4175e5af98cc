import { COLLECTIONS, type Kind } from '@archiefkast/types';
import { parseQuery, type Query, QueryError, type QueryFault } from '../../search/index.ts';
import { DUTCH } from './common-problems.ts';
import { type Bilingual, didYouMean, inBoth, Problem, type ProblemMembers } from './problems.ts';

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
    const { detail, expected, members } = describeFault(error.fault);
    const { corrections } = error;
    throw new Problem('invalid-query', detail, expected, {
      ...members,
      ...(corrections.length > 0 && { corrections }),
    });
  }
}

interface FaultText {
  detail: Bilingual;
  expected: Bilingual;
  members?: ProblemMembers;
}

const VALID_QUERY: Bilingual = {
  en: 'words, or field:value such as last_name:vries',
  nl: 'woorden, of veld:waarde zoals last_name:vries',
};

const VALID_RANGE: Bilingual = {
  en: 'a range of years or dates such as 1620..1650, 1620.. or 1620-03-01..1620-04',
  nl: 'een periode in jaren of data, zoals 1620..1650, 1620.. of 1620-03-01..1620-04',
};

/** Describes an invalid value of a field. */
function describeValue({ value, field }: { value: string; field: string }, reason: Bilingual): Bilingual {
  return {
    en: `Invalid value for field "${field}": "${value}" ${reason.en}.`,
    nl: `Ongeldige waarde voor veld "${field}": "${value}" ${reason.nl}.`,
  };
}

/** Describes a fault in both languages. */
function describeFault(fault: QueryFault): FaultText {
  switch (fault.reason) {
    case 'empty-query':
      return {
        detail: { en: 'The query is empty.', nl: 'De zoekvraag is leeg.' },
        expected: VALID_QUERY,
      };
    case 'too-long':
      return {
        detail: {
          en: `The query has ${fault.characters} characters.`,
          nl: `De zoekvraag heeft ${fault.characters} tekens.`,
        },
        expected: { en: `at most ${fault.limit} characters`, nl: `hoogstens ${fault.limit} tekens` },
      };
    case 'too-many-clauses':
      return {
        detail: {
          en: 'The query has too many words and clauses.',
          nl: 'De zoekvraag bevat te veel woorden en termen.',
        },
        expected: {
          en: `at most ${fault.limit} words and clauses`,
          nl: `hoogstens ${fault.limit} woorden en termen`,
        },
      };
    case 'too-many-starts':
      return {
        detail: {
          en: 'The query has too many starts of words.',
          nl: 'De zoekvraag bevat te veel woorden met een sterretje.',
        },
        expected: {
          en: `at most ${fault.limit} words that end with *`,
          nl: `hoogstens ${fault.limit} woorden die eindigen op *`,
        },
      };
    case 'unknown-field':
      return describeUnknownField(fault);
    case 'empty-value':
      return {
        detail: {
          en: `Missing value for field "${fault.field}".`,
          nl: `De waarde voor veld "${fault.field}" ontbreekt.`,
        },
        expected: { en: `${fault.field}:value`, nl: `${fault.field}:waarde` },
      };
    case 'unknown-kind':
      return {
        detail: { en: `Unknown kind "${fault.value}".`, nl: `Onbekende soort "${fault.value}".` },
        expected: {
          en: `one of ${fault.kinds.join(', ')}`,
          nl: `een van ${fault.kinds.join(', ')}`,
        },
        members: { kinds: fault.kinds },
      };
    case 'other-kind':
      return describeOtherKind(fault);
    case 'several-kinds':
      return {
        detail: {
          en: `A record has one kind, not ${fault.kinds.join(' and ')}.`,
          nl: `Een record heeft één soort, niet ${fault.kinds.join(' en ')}.`,
        },
        expected: { en: 'one kind, or kinds joined by OR', nl: 'één soort, of soorten met OR ertussen' },
      };
    case 'excluded-alternative':
      return {
        detail: {
          en: 'OR stands beside an excluded word or clause.',
          nl: 'OR staat naast een uitgesloten woord of term.',
        },
        expected: { en: 'OR between words or clauses without -', nl: 'OR tussen woorden of termen zonder -' },
      };
    case 'malformed-id':
      return {
        detail: describeValue(fault, { en: 'is not a number', nl: 'is geen getal' }),
        expected: { en: 'the id of one record, such as 12', nl: 'het id van één record, zoals 12' },
      };
    case 'malformed-uuid':
      return {
        detail: describeValue(fault, { en: 'is not part of a UUID', nl: 'is geen deel van een uuid' }),
        expected: {
          en: 'digits, letters from a to f and hyphens',
          nl: 'cijfers, letters van a tot en met f en koppeltekens',
        },
      };
    case 'malformed-date':
      return {
        detail: describeValue(fault, { en: 'is not part of a date', nl: 'is geen deel van een datum' }),
        expected: {
          en: `a year, a month or a day such as 1620, 1620-03 or 1620-03-01, or ${VALID_RANGE.en}`,
          nl: `een jaar, maand of dag zoals 1620, 1620-03 of 1620-03-01, of ${VALID_RANGE.nl}`,
        },
      };
    case 'malformed-range':
      return {
        detail: describeValue(fault, { en: 'is not a range', nl: 'is geen periode' }),
        expected: VALID_RANGE,
      };
    case 'inverted-range':
      return {
        detail: {
          en: `Invalid range for field "${fault.field}": "${fault.value}" ends before it starts.`,
          nl: `Ongeldige periode voor veld "${fault.field}": "${fault.value}" eindigt voor het begin.`,
        },
        expected: VALID_RANGE,
      };
    case 'unknown-value':
      return {
        detail: describeValue(fault, { en: 'is not a known value', nl: 'is geen bekende waarde' }),
        expected: { en: `one of ${fault.values.join(', ')}`, nl: `een van ${fault.values.join(', ')}` },
        members: { values: fault.values },
      };
    case 'malformed-century':
      return {
        detail: describeValue(fault, { en: 'is not a century', nl: 'is geen eeuw' }),
        expected: { en: 'the number of a century, such as 17', nl: 'het nummer van een eeuw, zoals 17' },
      };
    case 'malformed-circle':
      return {
        detail: describeValue(fault, { en: 'is not a circle', nl: 'is geen cirkel' }),
        expected: {
          en: 'latitude,longitude,distance such as 52.37,4.89,500m or 52.37,4.89,2km',
          nl: 'breedte,lengte,afstand zoals 52.37,4.89,500m of 52.37,4.89,2km',
        },
      };
    case 'malformed-box':
      return {
        detail: describeValue(fault, { en: 'is not a bounding box', nl: 'is geen rechthoek' }),
        expected: {
          en: 'south,west,north,east in degrees, such as 52.3,4.8,52.4,5.0',
          nl: 'zuid,west,noord,oost in graden, zoals 52.3,4.8,52.4,5.0',
        },
      };
    case 'malformed-reference':
      return {
        detail: describeValue(fault, {
          en: 'is not a reference to a record',
          nl: 'verwijst niet naar een record',
        }),
        expected: { en: 'the UUID or id of a record', nl: 'de uuid of het id van een record' },
      };
    case 'nothing-searchable':
      return {
        detail: {
          en: `"${fault.value}" contains no letters or digits to search for.`,
          nl: `"${fault.value}" bevat geen letters of cijfers om op te zoeken.`,
        },
        expected: VALID_QUERY,
      };
  }
}

function describeUnknownField({
  field,
  nearest,
  fields,
}: QueryFault & { reason: 'unknown-field' }): FaultText {
  const list = fields.join(', ');
  return {
    detail: {
      en: `Unknown field "${field}"${didYouMean(nearest).en} Valid fields: ${list}.`,
      nl: `Onbekend veld "${field}"${didYouMean(nearest).nl} Geldige velden: ${list}.`,
    },
    expected: inBoth(nearest === undefined ? list : `${nearest}:…`),
    members: { fields, ...(nearest !== undefined && { nearest }) },
  };
}

function describeOtherKind({ field, kinds, kind }: QueryFault & { reason: 'other-kind' }): FaultText {
  const [english, dutch] = [kinds.map((each) => COLLECTIONS[each]), kinds.map((each) => DUTCH[each].many)];
  return {
    detail: {
      en: `Field "${field}" is one of ${english.join(', ')}; the query demands kind:${kind}.`,
      nl: `Veld "${field}" hoort bij ${dutch.join(', ')}; de zoekvraag eist kind:${kind}.`,
    },
    expected: {
      en: `a field of ${COLLECTIONS[kind]}, or ${kinds.map((each) => `kind:${each}`).join(', ')}`,
      nl: `een veld van ${DUTCH[kind].many}, of ${kinds.map((each) => `kind:${each}`).join(', ')}`,
    },
  };
}
