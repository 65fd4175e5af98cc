/** The sentences that describe the parameters of the API, in Dutch. */
export const PARAMETER_SENTENCES: Readonly<Record<string, string>> = {
  'Without it, all of them.': 'Zonder deze parameter: alle.',
  'Box that the features lie in: west,south,east,north in degrees.':
    'Kader waarin de punten liggen: west,zuid,oost,noord in graden.',
  'West may be more than east, across the date line.': 'West mag meer zijn dan oost, over de datumgrens.',
  'Number of a kept edition, as Archive-Edition gives it, or its key: all pages then come from that edition.':
    'Nummer van een bewaarde editie, zoals Archive-Edition het geeft, of haar sleutel: alle pagina’s komen dan uit die editie.',
  'Without it, the edition served now.': 'Zonder deze parameter: de editie die nu wordt geserveerd.',
  'Field whose values are suggested: one that q may name and that holds a text, such as last_name.':
    'Veld waarvan waarden worden voorgesteld: een dat q mag noemen en dat een tekst bevat, zoals last_name.',
  'Without it, the names of all records.': 'Zonder deze parameter: de namen van alle records.',
  'Fields that are wanted of each record, with commas between: title,uuid; of what is embedded, location.name.':
    'Velden die van elk record worden gevraagd, met komma’s ertussen: title,uuid; van wat erin zit, location.name.',
  'Or brief, for a short set.': 'Of brief, voor een kort stel.',
  'The value "api" is accepted; the body stays JSON.': 'De waarde "api" mag; het antwoord blijft JSON.',
  'Facets asked for, with commas between: kind, century, city, subject, gender.':
    'Gevraagde facetten, met komma’s ertussen: kind, century, city, subject, gender.',
  'Page of results, from 1.': 'Pagina met resultaten, vanaf 1.',
  'Without it, page 1.': 'Zonder deze parameter: pagina 1.',
  'What has been typed of the value; may be empty.': 'Wat van de waarde is getypt; mag leeg zijn.',
  'Filter of search, or of a file of records: clauses such as last_name:vries or city:Leiden, all of which must hold.':
    'Waarop zoeken selecteert, of een bestand met records: termen zoals last_name:vries of city:Leiden, die alle moeten gelden.',
  'Order of the hits: relevance (which is the order without it), name, date, -date (latest first) or id.':
    'Volgorde van de treffers: relevance (de volgorde zonder deze parameter), name, date, -date (laatste eerst) of id.',
  'Number of a kept edition, as Archive-Edition gives it: what has happened since then.':
    'Nummer van een bewaarde editie, zoals Archive-Edition het geeft: wat er sindsdien is gebeurd.',
  'Language of the answer.': 'Taal van het antwoord.',
  'UUID of the record.': 'UUID van het record.',
};
