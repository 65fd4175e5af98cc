import { parseQuery, type Query, QueryError, type QueryFault } from '../search/index.ts';
import { type Bilingual, didYouMean, inBoth } from './bilingual.ts';
import { Problem, type ProblemMembers } from './problems.ts';

/** @throws Problem saying what is wrong with the query, and what would have been right */
export function parseSearch(q: string): Query {
  try {
    return parseQuery(q);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { detail, expected, members } = tell(error.fault);
    throw new Problem('invalid-query', detail, expected, members);
  }
}

interface Telling {
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

/** The fault in sentences of both languages. */
function tell(fault: QueryFault): Telling {
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
      return tellUnknownField(fault);
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
        detail: {
          en: `q: "${fault.value}" after "${fault.field}:" is no range.`,
          nl: `q: "${fault.value}" na "${fault.field}:" is geen bereik.`,
        },
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

function tellUnknownField({ field, nearest, fields }: QueryFault & { reason: 'unknown-field' }): Telling {
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
