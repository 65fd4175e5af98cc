/** The sentences that describe the fields of `q`, and examples of queries, in Dutch. */
export const SEARCH_SENTENCES: Readonly<Record<string, string>> = {
  'Kind of the record.': 'Soort van het record.',
  'Events of a person, and subjects of that person.': 'Gebeurtenissen van een persoon, en diens onderwerpen.',
  'Persons, locations and events that have a subject.':
    'Personen, locaties en gebeurtenissen met een onderwerp.',
  'Persons, locations and events that have a subject or one below it, at any depth.':
    'Personen, locaties en gebeurtenissen met een onderwerp of een daaronder, hoe diep ook.',
  'Events at a location, and subjects of that location.':
    'Gebeurtenissen op een locatie, en de onderwerpen van die locatie.',
  'Persons, subjects and the location of an event.':
    'Personen, onderwerpen en de locatie van een gebeurtenis.',
  'Subjects right below a subject.': 'Onderwerpen direct onder een onderwerp.',
  'Locations that a location is related to, whichever of the two names the other.':
    'Locaties waaraan een locatie verwant is, welke van beide de andere ook noemt.',
  'Number of the record; the whole number.': 'Nummer van het record; het hele nummer.',
  'UUID of the record, or a part of it.': 'UUID van het record, of een deel ervan.',
  'Given names of a person.': 'Voornamen van een persoon.',
  'Last name of a person.': 'Achternaam van een persoon.',
  'Name particle of a person, such as "van der".': 'Tussenvoegsel van een persoon, zoals "van der".',
  'Full display name of a person, in either language.':
    'Volledige naam van een persoon, in een van beide talen.',
  'Full display name of a person, in Dutch.': 'Volledige naam van een persoon, in het Nederlands.',
  'Full display name of a person, in English.': 'Volledige naam van een persoon, in het Engels.',
  'Gender of a person; the whole value.': 'Geslacht van een persoon; de hele waarde.',
  'Place of birth.': 'Geboorteplaats.',
  'Country of birth.': 'Geboorteland.',
  'Place of death.': 'Plaats van overlijden.',
  'Country of death.': 'Land van overlijden.',
  'Century from birth to death, or of an event: 17 is 1601–1700.':
    'Eeuw van geboorte tot overlijden, of van een gebeurtenis: 17 is 1601–1700.',
  'Name of a subject, location or event, in either language.':
    'Naam van een onderwerp, locatie of gebeurtenis, in een van beide talen.',
  'Name of a subject, location or event, in Dutch.':
    'Naam van een onderwerp, locatie of gebeurtenis, in het Nederlands.',
  'Name of a subject, location or event, in English.':
    'Naam van een onderwerp, locatie of gebeurtenis, in het Engels.',
  'Street and number of a location.': 'Straat en nummer van een locatie.',
  'Postal code of a location.': 'Postcode van een locatie.',
  'City of a location.': 'Plaats van een locatie.',
  'Province or state of a location.': 'Provincie of staat van een locatie.',
  'Country of a location.': 'Land van een locatie.',
  'Date of an event.': 'Datum van een gebeurtenis.',
  'Around a point.': 'Rond een punt.',
  'In a box of degrees.': 'Binnen een kader van graden.',
  'What a record has: an image, coordinates, or a text in English.':
    'Wat een record heeft: een afbeelding, coördinaten, of een tekst in het Engels.',
  'Texts and footnotes, in either language.': 'Teksten en voetnoten, in een van beide talen.',
  'Summaries, in either language.': 'Samenvattingen, in een van beide talen.',
  // examples of queries
  'Persons whose last name contains it.': 'Personen met dit in hun achternaam.',
  'Records with the word in any text.': 'Records met het woord in een van hun teksten.',
  'Persons who were born in a range of years.': 'Personen die in een reeks jaren zijn geboren.',
  'Two clauses: both must hold.': 'Twee termen: beide moeten gelden.',
  'Locations in a city.': 'Locaties in een plaats.',
  'Words that stand together, in any text.': 'Woorden die bij elkaar staan, in een van de teksten.',
  'Events of a year.': 'Gebeurtenissen van een jaar.',
};
