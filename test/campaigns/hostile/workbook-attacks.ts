import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEETS = ['persons', 'subjects', 'locations', 'events'];

/** A text and its number of repetitions, so that hundreds of megabytes are never in memory together. */
export type Repeated = readonly (string | readonly [text: string, times: number])[];

/** The parts of a workbook that differ from those of an archive without records. */
export interface AttackParts {
  /** The start of the sheet `persons`, before its root element. */
  prolog?: Repeated;
  /** The content of the sheet `persons`, after the header. */
  rows?: Repeated;
  /** The end of the sheet, after the rows. */
  after?: Repeated;
  styles?: Repeated;
  strings?: Repeated;
  /** Additional sheets: their names, and their content. */
  more?: { names: readonly string[]; rows: Repeated; isOnePart: boolean };
}

/** Writes a hostile workbook. */
export async function writeAttack(file: string, attack: AttackParts): Promise<string> {
  const { prolog = [], rows = [], after = [], styles = [], strings = [], more } = attack;
  const zip = new ZipFile();
  const names = [...SHEETS, ...(more?.names ?? [])];
  const partOf = (place: number) => (more?.isOnePart && place >= SHEETS.length ? SHEETS.length : place);
  const add = (name: string, text: Repeated) =>
    zip.addReadStreamLazy(name, { compressionLevel: 1 }, (give) => {
      give(null, Readable.from(blocks(text), { objectMode: false }));
    });
  add('_rels/.rels', [
    `<Relationships><Relationship Id="a" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ]);
  const sheets = names.map(
    (name, place) => `<sheet name="${name}" sheetId="${place + 1}" r:id="s${place}"/>`,
  );
  add('xl/workbook.xml', [`<workbook xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`]);
  const relations = names.map(
    (_, place) =>
      `<Relationship Id="s${place}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${partOf(place)}.xml"/>`,
  );
  add('xl/_rels/workbook.xml.rels', [
    `<Relationships>${relations.join('')}`,
    `<Relationship Id="t" Type="${RELATIONS}/styles" Target="styles.xml"/>`,
    `<Relationship Id="u" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  ]);
  add('xl/styles.xml', ['<styleSheet>', ...styles, '</styleSheet>']);
  add('xl/sharedStrings.xml', ['<sst>', ...strings, '</sst>']);
  const parts = new Set(names.map((_, place) => partOf(place)));
  for (const place of parts) {
    const held = place === 0 ? rows : place >= SHEETS.length ? (more?.rows ?? []) : [];
    const header = place < SHEETS.length ? '<row><c t="inlineStr"><is><t>id</t></is></c></row>' : '';
    add(`xl/worksheets/sheet${place}.xml`, [
      ...(place === 0 ? prolog : []),
      `<worksheet><sheetData>${header}`,
      ...held,
      '</sheetData>',
      ...(place === 0 ? after : []),
      '</worksheet>',
    ]);
  }
  zip.end();
  await pipeline(Readable.from(zip.outputStream as AsyncIterable<Buffer>), createWriteStream(file));
  return file;
}

function* blocks(text: Repeated): Generator<string> {
  for (const part of text) {
    if (typeof part === 'string') {
      yield part;
      continue;
    }
    const [one, times] = part;
    const inBlock = Math.max(1, Math.floor(65_536 / one.length));
    const block = one.repeat(inBlock);
    for (let left = times; left > 0; left -= inBlock) yield left < inBlock ? one.repeat(left) : block;
  }
}
