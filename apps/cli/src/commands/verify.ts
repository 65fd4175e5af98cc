import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { supplementOf } from '@archiefkast/client/internal';
import { compareManifest, STORE_FILE } from '@archiefkast/client/internal/node';
import { FolderError, type HarvestStore } from '@archiefkast/client/node';
import { counted } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { HarvestSource } from '../formats/source.ts';
import { fileProof } from '../formats/write-files.ts';
import { lacksSupplement, type Proof, readProof, WITHOUT_SUPPLEMENT } from '../proof/proof.ts';
import { resolveReferences } from '../proof/references.ts';
import type { CommandContext } from './command-context.ts';
import { connect } from './connection.ts';
import { openStore } from './export.ts';
import type { VerifySettings } from './options.ts';

const CONNECTION = { timeout: 30, retries: 5, maxWait: 300, maxPageSize: 256, lenient: true };

/** `archive-cli verify <folder>`: checks a harvest against its proof; sends requests only with `--source`. */
export async function command(context: CommandContext, settings: VerifySettings): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const { folder, source } = settings;
  const proof = await readProof(folder);
  if (!proof) {
    if (!existsSync(join(folder, STORE_FILE))) throw new FolderError(`${folder} contains no harvest`);
    stderr.write(
      `archive-cli: ${folder} contains an unfinished harvest; run the harvest command to finish it\n`,
    );
    return EXIT.incomplete;
  }
  const changed = await compareFiles(folder, proof);
  const found = await checkRecords(folder, proof);
  const differences = source ? await compareWithSource(context, folder, proof) : [];
  const problems = [...changed, ...found.problems, ...differences];
  for (const problem of problems) stderr.write(`archive-cli: ${problem}\n`);
  if (problems.length > 0) {
    stderr.write(`Invalid: ${counted(problems.length, 'problem')}.\n`);
    return EXIT.failed;
  }
  stdout.write(found.lines.map((line) => `${line}\n`).join(''));
  if (source) stdout.write('matches the manifest that the archive serves now\n');
  if (!proof.complete) {
    stderr.write('archive-cli: the files are unchanged, but the archive changed during the harvest\n');
    return EXIT.moved;
  }
  stdout.write(`${verdict(proof)}\n`);
  return EXIT.done;
}

/** Compares each file with the proof; returns the differences as sentences. */
async function compareFiles(folder: string, { files }: Proof): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, bytes, sha256 } of files) {
    try {
      const found = await fileProof(join(folder, name), name);
      if (found.bytes !== bytes) problems.push(`${name}: ${found.bytes} bytes, expected ${bytes}`);
      else if (found.sha256 !== sha256) problems.push(`${name}: its content has changed`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      problems.push(`${name}: cannot be read (${error.message})`);
    }
  }
  return problems;
}

/** Counts the records, and resolves their references; returns what was found as lines, and problems as sentences. */
async function checkRecords(folder: string, proof: Proof): Promise<{ lines: string[]; problems: string[] }> {
  const kinds = proof.kinds.map(({ kind }) => kind);
  try {
    using store = openStore(folder);
    const source = new HarvestSource(store);
    const { resolved, unresolved, unchecked } = await resolveReferences(kinds, (kind) =>
      source.records(kind),
    );
    const isShort = lacksSupplement(store, kinds);
    const found = kinds.map((kind) => ({ kind, ...countRecords(store, kind) }));
    const miscounted = found.flatMap(({ kind, ...counts }, index) =>
      COUNTS.flatMap((name) => {
        const said = proof.kinds[index]?.[name];
        return said === counts[name]
          ? []
          : [`${COLLECTIONS[kind]}: ${name} is ${counts[name]}, not ${said} as harvest.json says`];
      }),
    );
    const lines = [
      ...found.map(
        ({ kind, rows, count, pages }) =>
          `${COLLECTIONS[kind]}: ${counted(rows, 'record')} of ${count} expected, ${counted(pages, 'page')}`,
      ),
      `${counted(proof.files.length, 'file')} unchanged`,
      `${counted(resolved, 'reference')} resolved`,
      ...(isShort ? [WITHOUT_SUPPLEMENT] : []),
      ...unchecked.map(
        (kind) => `references to ${COLLECTIONS[kind]} were not checked: they were not harvested`,
      ),
    ];
    return { lines, problems: [...miscounted, ...unresolved] };
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    return { lines: [], problems: [error.message] };
  }
}

/** What is counted of a kind, by the names of a proof. */
const COUNTS = ['rows', 'unique_uuids', 'count', 'pages'] as const;

/** Counts the records of a kind in a store, by the names of a proof; `count` is what the last page says. */
function countRecords(store: HarvestStore, kind: Kind): Record<(typeof COUNTS)[number], number> {
  const uuids = [...store.records(kind)].map(({ uuid }) => uuid);
  const { page = 0, count = 0 } = store.lastPage(kind) ?? {};
  return { rows: uuids.length, unique_uuids: new Set(uuids).size, count, pages: page };
}

/** Compares a harvest with the manifest that the archive serves now; returns the differences as sentences. */
async function compareWithSource(context: CommandContext, folder: string, proof: Proof): Promise<string[]> {
  const { source: baseUrl, language: lang } = proof;
  const edition = proof.published_as ?? proof.edition;
  const client = await connect(context, { ...CONNECTION, baseUrl, lang });
  const served = await client.manifest(edition ?? undefined);
  if (!served) {
    const what = edition === null ? 'no manifest' : `no manifest of edition ${edition}`;
    throw new FolderError(`${baseUrl} offers ${what} to compare with`);
  }
  using store = openStore(folder);
  const { manifest } = served;
  const kinds = proof.kinds.map(({ kind }) => kind);
  const differences = compareManifest(manifest, kinds, store);
  if (!differences) return [`the manifest of ${baseUrl} does not list all kinds`];
  const supplement = store.text('supplement');
  const isOther = supplement !== undefined && hash('sha256', supplement) !== supplementOf(manifest)?.sha256;
  const difference = `supplement.jsonl differs from what the archive published as edition ${manifest.edition.id}`;
  return isOther ? [...differences, difference] : differences;
}

function verdict({ source, language, finished, published_as }: Proof): string {
  return published_as
    ? `Valid: every byte matches what ${source} published as edition ${published_as}, in ${language}.`
    : `Valid: this is what ${source} served until ${finished}, in ${language}.`;
}
