import { toCellText } from './cell-text.ts';

/** The media type of workbooks. */
export const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Styles of cells, by their number in `styles.xml`. */
export const STYLES = { general: 0, text: 1, header: 2, wrapped: 3 } as const;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The namespace of worksheets. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The cells that a filter is for. */
export interface FilterRange {
  lastColumn: string;
  lastRow: number;
}

/** The part that lists the sheets. */
export const WORKBOOK_PART = 'xl/workbook.xml';

/** Every part of a workbook but its sheets and their list: name and text. */
export function packageParts(sheets: readonly string[]): [name: string, text: string][] {
  const numbered = sheets.map((name, place) => ({ name, number: place + 1 }));
  const overrides = numbered.map(
    ({ number }) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  );
  const relations = numbered.map(({ number }) =>
    relation(number, 'worksheet', `worksheets/sheet${number}.xml`),
  );
  return [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE}.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${overrides.join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}${relation(sheets.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    ],
    ['xl/styles.xml', STYLES_XML],
  ];
}

/**
 * The list of a workbook's sheets.
 *
 * @param filters by place of the sheet: LibreOffice shows only filters that are named here
 */
export function workbookXml(sheets: readonly string[], filters: ReadonlyMap<number, FilterRange>): string {
  const entries = sheets.map(
    (name, place) => `<sheet name="${attribute(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  );
  const names = sheets.flatMap((name, place) => {
    const filter = filters.get(place);
    if (!filter) return [];
    const range = `'${toCellText(name).replaceAll("'", "''")}'!$A$1:$${filter.lastColumn}$${filter.lastRow}`;
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">${range}</definedName>`;
  });
  const defined = names.length > 0 ? `<definedNames>${names.join('')}</definedNames>` : '';
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${entries.join('')}</sheets>${defined}</workbook>`;
}

function relation(number: number, type: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function attribute(text: string): string {
  return toCellText(text).replaceAll('"', '&quot;');
}

/** In the order of `STYLES`. Number format 49 is text: what is typed into such a cell stays as it is typed. */
const STYLES_XML = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7E6E6"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>`;
