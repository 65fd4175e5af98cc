import { expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { QueryError } from './query.ts';

/** What other engines and people write, with a correction: each that is refused has one that is valid. */
const CORRECTED = `
AND delft → delft ;; delft OR → delft ;; delft AND OR leiden → delft OR leiden ;; delft NOT NOT kerk → delft -kerk
--kerk → -kerk ;; delft –-kerk → delft -kerk ;; OR → "OR" ;; delft EN kerk → delft kerk ;; delft OF leiden → delft OR leiden
delft NIET kerk → delft NOT kerk ;; delft NEAR/5 kerk → delft kerk ;; jan||piet → jan OR piet
name:kerk OR molen → name:"kerk" OR name:"molen" ;; name:kerk NOT molen AND → name:"kerk" -name:"molen"
name:+kerk → name:kerk ;; name:kerk +molen → name:"kerk" +molen ;; gender:male,female → gender:male OR gender:female
(delft OR leiden) kerk → delft OR leiden kerk ;; -(delft OR leiden) → -delft -leiden
(name:kerk OR name:molen) delft → name:kerk OR name:"molen" delft ;; name:(kerk OR molen) → name:"kerk" OR name:"molen"
kind:(person OR event) vos → kind:"person" OR kind:"event" vos ;; name:kerk) → name:"kerk" ;; schilder(es) → schilder es
*brandt → brandt ;; rem*dt → rem dt ;; re?brandt → re brandt ;; re* → re ;; rembrand? → rembrand ;; rem% → rem*
* → kind:person OR kind:subject OR kind:location OR kind:event ;; name:kerk* → name:kerk ;; summary:schil? → summary:schil
rembrand~1 → rembrand ;; schilder^2 → schilder ;; "gouden eeuw"~3 → "gouden eeuw" ;; name:kerk~ → name:kerk
/rembrandt/ → rembrandt ;; title:/jan/ → title:jan ;; 'gouden eeuw' delft → "gouden eeuw" delft
name:‘oude kerk’ → name:"oude kerk" ;; gouden eeuw" → gouden eeuw ;; last-name:hals → last_name:hals
last name:hals → last_name:hals ;; Achternaam:hals → last_name:hals ;; vos geboorteplaats:Delft → vos birth_place:Delft
soort:persoon → kind:person ;; voornaam:Jan achternaam:Steen → first_name:Jan last_name:Steen
last_name=hals → last_name:hals ;; birth_date >= 1600 → birth_date:1600.. ;; gender!=male → -gender:male
birth_place:delft gender=male → birth_place:delft gender:male ;; last_name：hals → last_name:hals ;; x=1 → x 1
last_name: title:x → title:x
huygens https://x.org/a → huygens "https://x.org/a"
doi:10.5281/zenodo.7 → "doi:10.5281/zenodo.7" ;; De Rembrandt: een leven → "De Rembrandt: een leven"
kind:subject Delft : de markt → kind:subject "Delft : de markt" ;; name:Het boek: een verhaal → name:"Het boek: een verhaal"
12:30 → "12:30" ;; person:huygens vos → kind:person huygens vos ;; birth:1600.. → birth_date:1600..
birth_date:[1600 TO *] vos → birth_date:1600.. vos ;; birth_date:{1600 TO 1650} → birth_date:1600..1650
birth_date:[1650 TO 1600] → birth_date:1600..1650 ;; birth_date:1600 – 1650 → birth_date:1600..1650
birth_date:tussen 1600 en 1650 → birth_date:1600..1650 ;; birth_date:1600 t/m 1650 → birth_date:1600..1650
birth_date:1620-50 → birth_date:1620..1650 ;; birth_date:1600- → birth_date:1600.. ;; birth_date:–1650 → birth_date:..1650
birth_date:≥1600 AND <1650 → birth_date:1600..1649 ;; birth_date:na 1650 → birth_date:1651..
birth_date:162..165 → birth_date:1620..1659 ;; birth_date:800..900 → birth_date:0800..0900
birth_date:16xx → birth_date:1600..1699 ;; birth_date:1620-1 → birth_date:1620-01 ;; birth_date:3-1650 → birth_date:1650-03
birth_date:1 maart 1650 → birth_date:1650-03-01 ;; birth_date:17e eeuw → birth_date:1601..1700
birth_date:* → birth_date:0001.. ;; century:XVII → century:17 ;; century:16..17 → century:16 OR century:17
id:1-3 → id:1 OR id:2 OR id:3 ;; kind:person,gebeurtenis → kind:person OR kind:event ;; kind:gebeurtenis → kind:event
last_name:hals city:Haarlem → last_name:hals place:Haarlem ;; birth_place:Leiden date:1650 → birth_place:Leiden birth_date:1650
city:Leiden date:1650 → kind:event city:Leiden date:1650 ;; kind:person has:coordinates → kind:location has:coordinates
id:1 id:2 → id:1 OR id:2
birth_date:1620-1650 → birth_date:1620..1650 ;; vos birth_date:1620–1650 jan → vos birth_date:1620..1650 jan
birth_date:1620/1650 → birth_date:1620..1650 ;; birth_date:<1700 → birth_date:..1699 ;; birth_date:<= 1700 → birth_date:..1700
-birth_date:>1700 → -birth_date:1701.. ;; date:>=1700-03 → date:1700-03.. ;; birth_date:1620s → birth_date:1620..1629
birth_date:1600s → birth_date:1600..1699 ;; birth_date:=1620 → birth_date:1620 ;; birth_date:"ca. 1620" → birth_date:1620
date:1650-13 → date:1650 ;; date:1650-3-1 → date:1650-03-01 ;; date:1650/03 → date:1650-03
date:1-3-1650 → date:1650-03-01 ;; date:1651-02-29 → date:1651 ;; birth_date:1650..1620 → birth_date:1620..1650
birth_date:1620...1650 → birth_date:1620..1650 ;; birth_date:1620..1630..1640 → birth_date:1620..1640
birth_date:1620-13..1630 → birth_date:1620..1630 ;; birth_date:1620..x → birth_date:1620..
id:1,2,3 → id:1 OR id:2 OR id:3
person:/nl/personen/29e9426c-179d-5d28-89af-f3ecfaec9a73/ → person:29e9426c-179d-5d28-89af-f3ecfaec9a73
lastname:Vries → last_name:Vries ;; lastname:Vries → "lastname:Vries" ;; kind:evnt leiden → kind:event leiden
has:images → has:image ;; century:17e → century:17 ;; century:1650 → century:17
near:52.37,4.89 → near:52.37,4.89,1km ;; near:52.37,4.89,500 → near:52.37,4.89,500m
within:52.4,4.8,52.3,5 → within:52.3,4.8,52.4,5 ;; kind:person kind:event → kind:person OR kind:event
kind:person city:Leiden → kind:person place:Leiden ;; kind:person city:Leiden → kind:location city:Leiden
kind:event title:Jan vos kind:events → kind:event name:Jan vos kind:events
kind:event title:Jan vos kind:events → kind:person title:Jan vos kind:person
date:1650 kind:person → birth_date:1650 kind:person ;; date:1650 kind:person → death_date:1650 kind:person
delft EN kerk EN molen → delft kerk molen ;; soort:persoon geslacht:vrouw → kind:person gender:vrouw ;; *brandt naam:*hals → brandt title:hals
(delft EN leiden) → delft leiden ;; last_name:hals AND city:Haarlem → last_name:hals AND place:Haarlem ;; vos OR last_name: → vos
date:1650 kind:person → date:1650 kind:event ;; -kunst OR vos → -kunst vos ;; kunst OR -vos → kunst -vos
`;

it.each(
  CORRECTED.trim()
    .split(/\n| ;; /)
    .map((line) => line.split(' → ')),
)('refuses %j, and corrects it to %j', (q, corrected) => {
  const corrections = correctionsOf(q ?? '');
  expect(corrections).toContain(corrected);
  for (const each of corrections) expect(() => parseQuery(each), each).not.toThrow();
});

/** Queries without a correction: it would have to leave something out. */
const UNCORRECTED = `
last_name: ;; "" ;; birth_date:.. ;; vos -vos ;; birth_date:1600..1650 birth_date:1700.. ;; gender:male land:Belgium
near:90.1,4.89,5m ;; near:5e1,4.89,5m ;; within:52.3,4.8,52.4 ;; has:colour ;; birth_date:abc ;; id:abc ;; uuid:huygens ;; century:0
a b c d e f g h i j k l m n o p q ;; abc* abd* abe* abf* abg*
`;

it.each(UNCORRECTED.trim().split(/\n| ;; /))('refuses %j without a correction', (q) => {
  expect(correctionsOf(q)).toEqual([]);
});

it.each(['last_name', 'city'])('takes the value of %s as it stands', (field) => {
  const values = [
    'a OR b',
    'a AND b',
    '(a',
    'a*',
    '?',
    '-a',
    'a –b',
    "'a'",
    '«a»',
    'a : b',
    'a=b',
    '[a TO b]',
    '~',
  ];
  for (const value of values) {
    expect(parseQuery(`${field}:${value}`).clauses, value).toMatchObject([{ type: 'value', field }]);
  }
});

/** The corrections of an invalid query. */
function correctionsOf(q: string): readonly string[] {
  try {
    parseQuery(q);
  } catch (error) {
    if (error instanceof QueryError) return error.corrections;
    throw error;
  }
  throw new Error(`${q}: expected a QueryError`);
}

it.each([
  ['Jan v.d. Heyden', 'jan', 'v d|vd|van der|van den|van de', 'heyden'],
  ['Jan v.d.Heyden', 'jan', 'v d|vd|van der|van den|van de', 'heyden'],
  ['J.P. Calkoen', 'j p|jp|j^p^', 'calkoen'],
  ['Calkoen, J.', 'calkoen', 'j|j^'],
  ['JP Calkoen II', 'jp|jp|j^p^', 'calkoen', 'ii'],
  ['A.B.C. D.E. Vos', 'a b c|abc|a^b^c^', 'd e', 'vos'],
  ['VOC schip', 'voc', 'schip'],
])('reads the abbreviated names of %j', (q, ...phrases) => {
  expect(parseQuery(q).clauses).toMatchObject([{ type: 'text', phrases }]);
});
