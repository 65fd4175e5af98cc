import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { Supplement } from '@archiefkast/types';
import { type ClientOptions, fillOptions } from '../client-options.ts';
import { type ServedManifest, supplementOf } from '../dumps/manifest.ts';
import { readDump } from '../dumps/read-dump.ts';
import { WrongAnswerError } from '../errors/request-errors.ts';
import { createFetchWithin } from '../request/fetch-within.ts';
import { parseAnswer } from '../request/parse-answer.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import { schemaOf, shapeOf } from '../shape/shapes.ts';
import { supplementPath } from './folder.ts';
import { withEdition } from './pin-edition.ts';

/**
 * Downloads what the records of an edition cannot say into the folder of the journals, and compares it with the manifest.
 * If the archive does not offer it, a file of an earlier edition is removed.
 *
 * @returns whether the archive offers it
 * @throws RequestError
 */
export async function takeSupplement(
  options: ClientOptions,
  { manifest, text }: ServedManifest,
  journalFolder: string,
): Promise<boolean> {
  const path = supplementPath(journalFolder);
  const offered = supplementOf(manifest);
  if (!offered) {
    await rm(path, { force: true });
    return false;
  }
  const filled = fillOptions(options);
  const found = repairedUrl(offered.url, filled.baseUrl);
  if (!found) throw new WrongAnswerError(offered.url, 'expected a supplement at the same host', text);
  const url = withEdition(found, String(manifest.edition.id));
  const fetchWithin = createFetchWithin(filled.headers);
  const unfinished = `${path}.part`;
  await using file = await open(unfinished, 'w');
  const sha256 = await writeLines(
    file,
    readDump({ ...filled, fetchWithin, url, from: 0, bytes: offered.bytes }),
    (line) => parseAnswer(url, line, SCHEMA, 'a supplement', true),
  );
  if (sha256 !== offered.sha256) {
    throw new WrongAnswerError(
      url,
      `expected the bytes with the SHA-256 ${offered.sha256}, not ${sha256}`,
      '',
    );
  }
  await rename(unfinished, path);
  return true;
}

const SCHEMA = schemaOf<Supplement>(shapeOf('Supplement'));

/** Checks and writes lines; returns their SHA-256. */
async function writeLines(
  file: FileHandle,
  batches: AsyncIterable<readonly Uint8Array[]>,
  check: (line: string) => void,
): Promise<string> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder();
  for await (const lines of batches) {
    for (const line of lines) {
      check(decoder.decode(line));
      hash.update(line);
    }
    await file.appendFile(Buffer.concat(lines));
  }
  return hash.digest('hex');
}
