import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { explainColumns } from './explain-columns.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_TEXT_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
} from './table-columns.ts';
import { sheetColumn, type TableContent } from './write-tables.ts';

/** Columns that the template leaves out; the sheet of explanations lists them. */
const LEFT_OUT = new Set(['uuid', 'published', 'pictures']);

/**
 * Creates the tables of a template: two records of each kind with image, footnote and references, and an explanation of
 * every column.
 *
 * @param uuid UUID of the archive
 */
export function templateTables(uuid: string): TableContent[] {
  const kinds: readonly Kind[] = ['person', 'subject', 'location', 'event'];
  return [
    ...kinds.map((kind) => table(COLLECTIONS[kind], templateColumns(kind), TEMPLATE_RECORDS[kind])),
    table(
      'files',
      FILE_COLUMNS.filter(({ name }) => !LEFT_OUT.has(name)),
      TEMPLATE_FILES,
    ),
    table('archive', ARCHIVE_COLUMNS, [{ ...TEMPLATE_ARCHIVE, uuid }]),
    explanation(),
  ];
}

/** The columns of the template: Markdown instead of HTML, and the image in the row of its record. */
function templateColumns(kind: Kind): TableColumn[] {
  const columns = RECORD_COLUMNS[kind]
    .filter(({ name }) => !LEFT_OUT.has(name))
    .map((column) => (column.type === 'html' ? { ...column, name: `${column.name}_markdown` } : column));
  return [...columns, ...IMAGE_TEXT_COLUMNS];
}

function table(
  name: TableContent['name'],
  columns: readonly TableColumn[],
  rows: readonly TemplateRow[],
): TableContent {
  return {
    name,
    columns: columns.map((column) => sheetColumn(column.name, column)),
    async *rows() {
      for (const row of rows) yield columns.map((column) => row[column.name] ?? '');
    },
  };
}

/** The sheet that explains every column; it is ignored, because its name starts with `_`. */
function explanation(): TableContent {
  const column = (header: string, width: number) => ({ header, type: 'text' as const, width, wrap: true });
  return {
    name: '_uitleg_help',
    columns: [
      column('blad / sheet', 12),
      column('kolom / column', 20),
      column('verplicht / required', 20),
      column('wat het is', 100),
      column('what it is', 100),
      column('in de cel', 64),
      column('in the cell', 64),
    ],
    async *rows() {
      for (const { table, name, isRequired, english, dutch, cells } of explainColumns()) {
        yield [table, name, isRequired ? 'ja / yes' : '', dutch, english, cells.dutch, cells.english];
      }
    },
  };
}

/** A row of a template: cells by column. */
type TemplateRow = Readonly<Record<string, string>>;

/** The description of the archive in the template. */
const TEMPLATE_ARCHIVE: TemplateRow = {
  title_nl: 'Mijn archief',
  title_en: 'My archive',
  description_nl: 'Een archief om mee te beginnen. Vervang de voorbeelden door uw eigen records.',
  description_en: 'An archive to start from. Put your own records in place of the examples.',
  publisher_nl: 'Mijn instelling',
  publisher_en: 'My institution',
  licence_name: 'CC0 1.0',
  licence_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
};

/** Two records of each kind. */
const TEMPLATE_RECORDS: Readonly<Record<Kind, readonly TemplateRow[]>> = {
  person: [
    {
      id: '1',
      title_nl: 'Carolus Clusius',
      title_en: 'Carolus Clusius',
      first_name: 'Carolus',
      last_name: 'Clusius',
      gender: 'male',
      birth_date: '1526-02-19',
      birth_place: 'Atrecht',
      birth_country: 'Frankrijk',
      death_date: '1609-04-04',
      death_place: 'Leiden',
      death_country: 'Nederland',
      subjects: 'Plantkunde',
      summary_nl: 'Plantkundige, eerste prefect van de Leidse Hortus',
      summary_en: 'Botanist, first prefect of the Hortus in Leiden',
      content_nl_markdown:
        'Clusius beschreef planten uit heel Europa en kwam op hoge leeftijd naar *Leiden*.[^1]\n\n[^1]: Carolus Clusius, *Rariorum plantarum historia* (Antwerpen 1601).',
      content_en_markdown:
        'Clusius described plants from all of Europe and came to *Leiden* at a great age.[^1]\n\n[^1]: Carolus Clusius, *Rariorum plantarum historia* (Antwerp 1601).',
      image_url: 'https://example.org/images/clusius.jpg',
      image_caption: 'Portret van Clusius',
      image_credit: 'Onbekende maker; bewaarplaats van het origineel',
      image_copyright: 'Publiek domein',
    },
    {
      id: '2',
      title_nl: 'Maria Sibylla Merian',
      title_en: 'Maria Sibylla Merian',
      first_name: 'Maria Sibylla',
      last_name: 'Merian',
      gender: 'female',
      birth_date: '1647-04-02',
      birth_place: 'Frankfurt am Main',
      birth_country: 'Duitsland',
      death_date: '1717-01-13',
      death_place: 'Amsterdam',
      death_country: 'Nederland',
      subjects: 'Plantkunde|Natuuronderzoek',
      summary_nl: 'Schilderes en onderzoekster van insecten',
      summary_en: 'Painter, and student of insects',
      content_nl_markdown: 'Merian tekende in Suriname hoe rupsen vlinders worden, elk op zijn eigen plant.',
      content_en_markdown:
        'In Surinam Merian drew how caterpillars become butterflies, each on its own plant.',
    },
  ],
  subject: [
    {
      id: '1',
      name_nl: 'Natuuronderzoek',
      name_en: 'Natural history',
      summary_nl: 'Onderzoek van planten, dieren en gesteenten',
      summary_en: 'The study of plants, animals and minerals',
      description_nl_markdown: 'Alles wat over de levende en dode natuur is onderzocht en beschreven.',
      description_en_markdown: 'All that has been studied and written about nature, living or not.',
    },
    {
      id: '2',
      name_nl: 'Plantkunde',
      name_en: 'Botany',
      parent: 'Natuuronderzoek',
      summary_nl: 'Onderzoek van planten',
      summary_en: 'The study of plants',
      description_nl_markdown: 'Kennis van planten, in tuinen, herbaria en boeken.',
      description_en_markdown: 'Knowledge of plants, in gardens, herbaria and books.',
      image_url: 'https://example.org/images/tulp.jpg',
      image_caption: 'Een tulp',
      image_credit: 'Onbekende maker',
      image_copyright: 'Publiek domein',
    },
  ],
  location: [
    {
      id: '1',
      name_nl: 'Hortus botanicus, Leiden',
      name_en: 'Hortus botanicus, Leiden',
      street: 'Rapenburg 73',
      zipcode: '2311 GJ',
      city: 'Leiden',
      state: 'Zuid-Holland',
      land: 'Nederland',
      latitude: '52.1570',
      longitude: '4.4845',
      subjects: 'Plantkunde',
      related_locations: '2',
      summary_nl: 'Tuin van de universiteit, gesticht in 1590',
      summary_en: 'Garden of the university, founded in 1590',
      content_nl_markdown: 'De tuin ligt achter het Academiegebouw aan het Rapenburg.',
      content_en_markdown: 'The garden lies behind the Academy building on the Rapenburg.',
    },
    {
      id: '2',
      name_nl: 'Hortus Botanicus, Amsterdam',
      name_en: 'Hortus Botanicus, Amsterdam',
      street: 'Plantage Middenlaan 2a',
      zipcode: '1018 DD',
      city: 'Amsterdam',
      state: 'Noord-Holland',
      land: 'Nederland',
      latitude: '52.3669',
      longitude: '4.9080',
      subjects: 'Plantkunde',
      related_locations: '1',
      summary_nl: 'Tuin van de stad, sinds 1682 in de Plantage',
      summary_en: 'Garden of the city, in the Plantage since 1682',
      content_nl_markdown: 'De tuin kreeg planten van schepen uit de hele wereld.',
      content_en_markdown: 'Ships from all over the world brought plants to the garden.',
    },
  ],
  event: [
    {
      id: '1',
      name_nl: 'Clusius komt naar Leiden',
      name_en: 'Clusius comes to Leiden',
      date: '1593-10-19',
      location: 'Hortus botanicus, Leiden',
      persons: 'Carolus Clusius',
      subjects: 'Plantkunde',
      summary_nl: 'De Hortus krijgt zijn eerste prefect',
      summary_en: 'The Hortus gets its first prefect',
      content_nl_markdown: 'Hij was toen 67 en liep slecht; de tuin legde Dirck Cluyt voor hem aan.',
      content_en_markdown: 'He was 67 and hardly able to walk; Dirck Cluyt laid the garden out for him.',
    },
    {
      id: '2',
      name_nl: 'Merian in Suriname',
      name_en: 'Merian in Surinam',
      date_start: '1699-09-18',
      date_end: '1701-06-18',
      persons: 'Maria Sibylla Merian',
      subjects: 'Plantkunde|Natuuronderzoek',
      location: 'Hortus Botanicus, Amsterdam',
      summary_nl: 'Twee jaar van verzamelen en tekenen',
      summary_en: 'Two years of collecting and drawing',
      content_nl_markdown: 'Wat zij meebracht, werd in Amsterdam een boek.',
      content_en_markdown: 'What she brought back became a book in Amsterdam.',
    },
  ],
};

/** A file in addition to the image in the row of a record. */
const TEMPLATE_FILES: readonly TemplateRow[] = [
  {
    id: '1',
    owner_kind: 'location',
    owner: 'Hortus botanicus, Leiden',
    role: 'file',
    order: '1',
    name: 'plattegrond.jpg',
    title: 'Plattegrond van de tuin',
    alt: 'Onbekende maker; bewaarplaats van het origineel',
    url: 'https://example.org/images/plattegrond.jpg',
    filetype: 'image',
    copyright: 'Publiek domein',
  },
];
