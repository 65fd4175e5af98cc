import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { CONTENT_TYPE, type FilterRange, packageParts, WORKBOOK_PART, workbookXml } from './package-parts.ts';
import type { SheetContent } from './sheet-content.ts';
import { sheetXml } from './sheet-xml.ts';

/** Parts have the same time, whatever the clock and the time zone say: the same rows give the same bytes. */
const options = () => ({ mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true });

/**
 * Writes a workbook (.xlsx) as a stream of bytes; a few rows are in memory at a time. The same sheets give the same
 * bytes.
 */
export async function* writeWorkbook(sheets: readonly SheetContent[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const names = sheets.map((sheet) => sheet.name);
  const filters = new Map<number, FilterRange>();
  for (const [name, text] of packageParts(names)) {
    zip.addBuffer(Buffer.from(text), name, options());
  }
  const output = Readable.from(zip.outputStream as AsyncIterable<Buffer>);
  zip.on('error', (error: Error) => output.destroy(error));
  for (const [place, sheet] of sheets.entries()) {
    zip.addReadStreamLazy(`xl/worksheets/sheet${place + 1}.xml`, options(), (give) => {
      const stream = Readable.from(
        sheetXml(sheet, (range) => filters.set(place, range)),
        { objectMode: false },
      );
      // yazl does not pass the errors of its sources on.
      stream.once('error', (error) => output.destroy(error));
      give(null, stream);
    });
  }
  // The rows of all sheets have been counted when this part is asked for.
  zip.addReadStreamLazy(WORKBOOK_PART, options(), (give) => {
    give(null, Readable.from([workbookXml(names, filters)], { objectMode: false }));
  });
  zip.end();
  yield* output as AsyncIterable<Buffer>;
}

/** The media type of workbooks. */
export const WORKBOOK_TYPE = CONTENT_TYPE;
