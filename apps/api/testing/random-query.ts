import { SEARCH_FIELDS } from '../src/search/index.ts';
import type { Random } from './random.ts';

const PIECES = [
  ...SEARCH_FIELDS.map(({ name }) => `${name}:`),
  ...[
    'kind:person',
    '-kind:person',
    ' -',
    ' -last_name:',
    ':=',
    'near:52.37,4.89,500m',
    'near:52,4,',
    'within:-90,170,90,-170',
    'has:image',
    'century:17',
    'person:12',
    'under:7',
    'kind:',
    'colour:',
    'NEAR(a b)',
    'a AND b',
    ' OR ',
    'OR',
    'schil*',
    'jan OR piet*',
    'kind:event city:',
    'place:',
    '<1700',
    '1620-1650',
    'NOT',
    '{name}:',
    'rank:',
    '..',
    '1620..1650',
  ],
  ...[
    '"',
    "'",
    '“',
    '(',
    ')',
    '*',
    '%',
    '_',
    '^',
    '+',
    '-',
    ' - ',
    ';',
    '--',
    '/*',
    '\\',
    '&',
    '<b>',
    '\0',
    '\n',
  ],
  ...[
    '\ud800',
    '\udc00',
    '\u202e',
    'שלום',
    'مرحبا',
    '日本',
    '😀',
    'é',
    'e\u0301',
    'ĳ',
    'ß',
    '\u200b',
    '\ufeff',
  ],
  ...['jan', 'de', 'vries', 'delft', 'a', 'e', '1', '1650', 'haag', ' ', ' ', ' ', ' '],
];

/** A query of anything: fields, operators of other languages, any code unit, lone surrogates, up to 8 kB. */
export function randomQuery(random: Random): string {
  const pick = () => random.pick(PIECES);
  if (random.number() < 0.02) return longQuery(pick());
  let q = '';
  for (let length = 1 + random.below(12); length > 0; length--) {
    q += random.number() < 0.2 ? String.fromCharCode(random.below(0x10000)) : pick();
  }
  return q;
}

/** The piece again and again, to 8 kB of UTF-8. */
function longQuery(piece: string): string {
  return piece.repeat(Math.floor(8192 / Buffer.byteLength(piece)));
}
