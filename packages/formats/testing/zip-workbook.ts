import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** What a workbook made by hand holds, as XML. */
export interface HandMadeWorkbook {
  sheetData: string;
  /** Texts of `sharedStrings.xml`, as XML. */
  strings?: readonly string[];
  /** Attributes of `workbookPr`. */
  properties?: string;
  /** The program in `fileVersion`. */
  program?: string;
  /** Codes of the number formats of styles 1, 2 … */
  formats?: readonly string[];
  /** The comments of the sheet, as XML. */
  comments?: string | undefined;
  /** What floats over the sheet, as XML. */
  drawing?: string | undefined;
  /** More sheets: the rows of each by its name, as texts. */
  sheets?: Readonly<Record<string, readonly (readonly string[])[]>>;
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Writes a workbook of one sheet, `persons`, as other programs than ours do: prefixes, shared texts, formats. */
export async function zipWorkbook(file: string, parts: HandMadeWorkbook): Promise<string> {
  const {
    sheetData,
    strings = [],
    properties = '',
    program,
    formats = [],
    sheets = {},
    comments,
    drawing,
  } = parts;
  const more = Object.entries(sheets).map(([name, rows], place) => ({ name, rows, number: place + 1 }));
  const codes = formats.map((code, place) => `<numFmt numFmtId="${164 + place}" formatCode="${code}"/>`);
  const styles = formats.map((_, place) => `<xf numFmtId="${164 + place}"/>`);
  const own = new Map(
    Object.entries({ comments, drawing }).flatMap(([type, xml]) =>
      xml === undefined ? [] : [[type, xml] as const],
    ),
  );
  const version = program === undefined ? '' : `<x:fileVersion appName="${program}"/>`;
  return writeZip(file, {
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${RELATIONS}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<x:workbook xmlns:x="main" xmlns:r="${RELATIONS}">${version}<x:workbookPr ${properties}/><x:sheets><x:sheet name="persons" sheetId="1" r:id="b"/>${more.map(({ name, number }) => `<x:sheet name="${name}" sheetId="${number + 1}" r:id="m${number}"/>`).join('')}</x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="b" Type="${RELATIONS}/worksheet" Target="worksheets/one.xml"/><Relationship Id="c" Type="${RELATIONS}/styles" Target="styles.xml"/><Relationship Id="d" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>${more.map(({ number }) => `<Relationship Id="m${number}" Type="${RELATIONS}/worksheet" Target="worksheets/more${number}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/worksheets/one.xml': `<worksheet>${sheetData}</worksheet>`,
    'xl/worksheets/_rels/one.xml.rels': `<Relationships>${[...own.keys()].map((type) => `<Relationship Id="${type}" Type="${RELATIONS}/${type}" Target="../${type}1.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries([...own].map(([type, xml]) => [`xl/${type}1.xml`, xml])),
    ...Object.fromEntries(
      more.map(({ rows, number }) => [
        `xl/worksheets/more${number}.xml`,
        `<worksheet><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A row of texts. */
export function rowXml(cells: readonly string[]): string {
  return `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;
}

/** Writes a zip file. */
export async function writeZip(
  file: string,
  parts: Readonly<Record<string, string>>,
  compress = true,
): Promise<string> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name, { compress });
  zip.end();
  await writeFile(file, await buffer(zip.outputStream));
  return file;
}
