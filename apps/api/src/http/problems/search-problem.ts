import { parseQuery, type Query, QueryError, type QueryFault } from '../../search/index.ts';
import { type Bilingual, didYouMean, inBoth, Problem, type ProblemMembers } from './problems.ts';

/** @throws Problem saying what is wrong with the query, and what would have been right */
export function parseSearch(q: string): Query {
  try {
    return parseQuery(q);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { detail, expected, members } = describeFault(error.fault);
    throw new Problem('invalid-query', detail, expected, members);
  }
}

interface FaultText {
  detail: Bilingual;
  expected: Bilingual;
  members?: ProblemMembers;
}

const SOME_WORDS: Bilingual = {
  en: 'words, or field:value such as last_name:vries',
  nl: 'woorden, of veld:waarde zoals last_name:vries',
};

const SOME_RANGE: Bilingual = {
  en: 'a range of years or dates such as 1620..1650, 1620.. or 1620-03-01..1620-04',
  nl: 'een bereik van jaren of data zoals 1620..1650, 1620.. of 1620-03-01..1620-04',
};

/** What the value of a field is not. */
function describeValue({ value, field }: { value: string; field: string }, is: Bilingual): Bilingual {
  return { en: `q: "${value}" after "${field}:" ${is.en}.`, nl: `q: "${value}" na "${field}:" ${is.nl}.` };
}

/** The fault in sentences of both languages. */
function describeFault(fault: QueryFault): FaultText {
  switch (fault.reason) {
    case 'empty-query':
      return {
        detail: { en: 'q: there is nothing in it.', nl: 'q: er staat niets in.' },
        expected: SOME_WORDS,
      };
    case 'too-long':
      return {
        detail: {
          en: `q: it has ${fault.characters} characters.`,
          nl: `q: hij heeft ${fault.characters} tekens.`,
        },
        expected: { en: `at most ${fault.limit} characters`, nl: `hoogstens ${fault.limit} tekens` },
      };
    case 'too-many-clauses':
      return {
        detail: {
          en: 'q: it has too many words and clauses.',
          nl: 'q: hij heeft te veel woorden en termen.',
        },
        expected: {
          en: `at most ${fault.limit} words and clauses`,
          nl: `hoogstens ${fault.limit} woorden en termen`,
        },
      };
    case 'unknown-field':
      return describeUnknownField(fault);
    case 'empty-value':
      return {
        detail: {
          en: `q: there is no value after "${fault.field}:".`,
          nl: `q: er staat geen waarde na "${fault.field}:".`,
        },
        expected: { en: `${fault.field}:value`, nl: `${fault.field}:waarde` },
      };
    case 'unknown-kind':
      return {
        detail: { en: `q: there is no kind "${fault.value}".`, nl: `q: er is geen soort "${fault.value}".` },
        expected: {
          en: `one of ${fault.kinds.join(', ')}`,
          nl: `een van ${fault.kinds.join(', ')}`,
        },
        members: { kinds: fault.kinds },
      };
    case 'malformed-range':
      return {
        detail: describeValue(fault, { en: 'is no range', nl: 'is geen bereik' }),
        expected: SOME_RANGE,
      };
    case 'inverted-range':
      return {
        detail: {
          en: `q: the range "${fault.value}" after "${fault.field}:" ends before it begins.`,
          nl: `q: het bereik "${fault.value}" na "${fault.field}:" eindigt voor het begint.`,
        },
        expected: SOME_RANGE,
      };
    case 'unknown-value':
      return {
        detail: describeValue(fault, { en: 'is not one of its values', nl: 'is geen van de waarden' }),
        expected: { en: `one of ${fault.values.join(', ')}`, nl: `een van ${fault.values.join(', ')}` },
        members: { values: fault.values },
      };
    case 'malformed-century':
      return {
        detail: describeValue(fault, { en: 'is no century', nl: 'is geen eeuw' }),
        expected: { en: 'the number of a century, such as 17', nl: 'het nummer van een eeuw, zoals 17' },
      };
    case 'malformed-circle':
      return {
        detail: describeValue(fault, { en: 'is no circle', nl: 'is geen cirkel' }),
        expected: {
          en: 'latitude,longitude,distance such as 52.37,4.89,500m or 52.37,4.89,2km',
          nl: 'breedte,lengte,afstand zoals 52.37,4.89,500m of 52.37,4.89,2km',
        },
      };
    case 'malformed-box':
      return {
        detail: describeValue(fault, { en: 'is no box', nl: 'is geen rechthoek' }),
        expected: {
          en: 'south,west,north,east in degrees, such as 52.3,4.8,52.4,5.0',
          nl: 'zuid,west,noord,oost in graden, zoals 52.3,4.8,52.4,5.0',
        },
      };
    case 'malformed-reference':
      return {
        detail: describeValue(fault, { en: 'names no record', nl: 'noemt geen record' }),
        expected: { en: 'the uuid or id of a record', nl: 'de uuid of id van een record' },
      };
    case 'nothing-searchable':
      return {
        detail: {
          en: `q: "${fault.value}" holds no letter or digit to search for.`,
          nl: `q: "${fault.value}" bevat geen letter of cijfer om op te zoeken.`,
        },
        expected: SOME_WORDS,
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
      en: `q: there is no field "${field}"${didYouMean(nearest).en} Fields: ${list}.`,
      nl: `q: er is geen veld "${field}"${didYouMean(nearest).nl} Velden: ${list}.`,
    },
    expected: inBoth(nearest === undefined ? list : `${nearest}:…`),
    members: { fields, ...(nearest !== undefined && { nearest }) },
  };
}
