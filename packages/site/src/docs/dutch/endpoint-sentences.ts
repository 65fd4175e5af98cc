/** One of each kind and several, in English and in Dutch. */
const KIND_WORDS = [
  ['person', 'persons', 'Eén persoon', 'personen'],
  ['subject', 'subjects', 'Eén onderwerp', 'onderwerpen'],
  ['location', 'locations', 'Eén locatie', 'locaties'],
  ['event', 'events', 'Eén gebeurtenis', 'gebeurtenissen'],
] as const;

/** What a dump says of its format. */
const FORMATS = {
  'one on a line, as the list has them: four of these files are a bundle.':
    'elk op een regel, zoals de lijst ze heeft: vier van deze bestanden zijn een bundel.',
  'one in a row, for reading and counting: plain text, names beside uuids, lists joined by |.':
    'elk in een rij, om te lezen en te tellen: platte tekst, namen naast uuid’s, lijsten verbonden door |.',
  'as features (RFC 7946) with numbers for coordinates, for QGIS and web maps.':
    'als punten (RFC 7946) met getallen als coördinaten, voor QGIS en kaarten op het web.',
} as const;

/** The sentences that name and describe the endpoints, in Dutch. */
export const ENDPOINT_SENTENCES: Readonly<Record<string, string>> = {
  // groups
  Records: 'Records',
  'Lists of records, ten on a page, and single records.':
    'Lijsten van records, tien per pagina, en losse records.',
  Search: 'Zoeken',
  'Records that match a query, and values to type.':
    'Records die aan een zoekvraag voldoen, en waarden om te typen.',
  Bulk: 'Alles ineens',
  'All records in a few files, and what has changed since an edition.':
    'Alle records in een paar bestanden, en wat er sinds een editie is veranderd.',
  About: 'Over het archief',
  'What the archive is, and how to use it.': 'Wat het archief is, en hoe het te gebruiken is.',
  // endpoints
  'Records of all kinds; with q those that match, best first; with sort in another order.':
    'Records van alle soorten; met q die eraan voldoen, de beste eerst; met sort in een andere volgorde.',
  'With q those that match, best first; with sort in another order.':
    'Met q die eraan voldoen, de beste eerst; met sort in een andere volgorde.',
  Facets: 'Facetten',
  'How many records match, by kind, century, city, subject and gender: of each at most twenty values, those of most records first, with the query that finds exactly these.':
    'Hoeveel records voldoen, naar soort, eeuw, plaats, onderwerp en geslacht: van elk hoogstens twintig waarden, die van de meeste records eerst, met de zoekvraag die precies deze vindt.',
  Suggestions: 'Suggesties',
  'Up to 10 values of a field, or names of records of all kinds, in which a word begins with what has been typed, without regard to case and diacritics: those that begin with it themselves first, then those of most records.':
    'Hoogstens 10 waarden van een veld, of namen van records van alle soorten, waarin een woord begint met wat is getypt, ongeacht hoofdletters en accenten: eerst die er zelf mee beginnen, dan die van de meeste records.',
  'Each has the number of records that have it, and names the record where that is but one.':
    'Bij elke staat hoeveel records haar hebben, en welk record dat is als het er maar één is.',
  Editions: 'Edities',
  'The editions that are kept, newest first: those that the parameters edition and since may name.':
    'De bewaarde edities, de nieuwste eerst: die welke de parameters edition en since mogen noemen.',
  'Changes since an edition': 'Wat er sinds een editie is veranderd',
  'The uuids of the records that were added, changed or removed since a kept edition.':
    'De uuid’s van de records die sinds een bewaarde editie zijn toegevoegd, veranderd of verwijderd.',
  'A record has changed when anything has that its JSON holds, in either language, embedded records included.':
    'Een record is veranderd als er iets is veranderd van wat zijn JSON bevat, in een van beide talen, met de records erin.',
  'Changes since an edition, with the records': 'Wat er sinds een editie is veranderd, met de records',
  'What a mirror needs to follow the archive, as lines of JSON: first since, edition, language and the numbers of records added, changed and removed; then a line for each with kind, change, uuid and, unless it was removed, the record in full as the lists have it.':
    'Wat een spiegel nodig heeft om het archief te volgen, als regels JSON: eerst since, edition, language en hoeveel records zijn toegevoegd, veranderd en verwijderd; dan een regel voor elk met kind, change, uuid en, tenzij het is verwijderd, het hele record zoals de lijsten het hebben.',
  'Manifest of the dumps': 'Manifest van de bestanden',
  'The files with all records: where they are, their size and SHA-256, edition and licence.':
    'De bestanden met alle records: waar ze zijn, hun grootte en SHA-256, editie en licentie.',
  'Manifest of the dumps in English': 'Manifest van de Engelse bestanden',
  'Changes since an edition, without a language': 'Wat er sinds een editie is veranderd, zonder taal',
  'Editions, without a language': 'Edities, zonder taal',
  OpenAPI: 'OpenAPI',
  'This API for programs (OpenAPI 3.1).': 'Deze API voor programma’s (OpenAPI 3.1).',
  Index: 'Inhoud',
  'What the archive is: title, publisher and licence, its counts, and every endpoint.':
    'Wat het archief is: titel, uitgever en licentie, aantallen, en alle adressen.',
  ...Object.fromEntries(
    KIND_WORDS.flatMap(([one, several, single, plural]) => [
      [`List of ${several}`, `Lijst van ${plural}`],
      [`All ${several}, by id, ten on a page.`, `Alle ${plural}, naar id, tien per pagina.`],
      [`One ${one}`, single],
      [`A single ${one}, as in the list.`, `${single}, zoals in de lijst.`],
      ...['jsonl', 'csv', 'geojson'].map((format) => [
        `All ${several} (${format})`,
        `Alle ${plural} (${format})`,
      ]),
      ...Object.entries(FORMATS).map(([english, dutch]) => [
        `All ${several} by id, ${english}`,
        `Alle ${plural} naar id, ${dutch}`,
      ]),
    ]),
  ),
};
