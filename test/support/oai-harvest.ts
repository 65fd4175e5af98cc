import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';

/** What a harvester received by OAI-PMH: each record as it was written, by identifier, and the date of the first response. */
export interface Harvest {
  received: ReadonlyMap<string, string>;
  responseDate: string;
}

/** Options of a harvest. */
export interface HarvestOptions {
  /** The time or day since which records are asked for: all, if it is absent. */
  from?: string;
  /** Awaited after the first part. */
  pause?: () => Promise<void>;
}

/** The first group of a pattern in a text; empty if it is not found. */
const firstIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? '';

/** Harvests the records of a repository, whose server is at `origin`, by its tokens. A record that is listed twice fails the test. */
export async function harvestOai(origin: string, { from, pause }: HarvestOptions = {}): Promise<Harvest> {
  const received = new Map<string, string>();
  let responseDate = '';
  for (let query = `metadataPrefix=oai_dc${from ? `&from=${from}` : ''}`; query !== ''; ) {
    const text = await (await fetch(`${origin}/oai?verb=ListRecords&${query}`)).text();
    for (const [record] of text.matchAll(/<record>.*?<\/record>/gs)) {
      const identifier = firstIn(record, /<identifier>([^<]+)</);
      expect(received.has(identifier), `${identifier} is listed once`).toBe(false);
      received.set(identifier, record);
    }
    if (responseDate === '') await pause?.();
    responseDate ||= firstIn(text, /<responseDate>([^<]+)</);
    const token = firstIn(text, /<resumptionToken[^>]*>([^<]+)</);
    query = token && `resumptionToken=${encodeURIComponent(token)}`;
  }
  return { received, responseDate };
}

/** What harvesters of others print: the identifiers of all records, those of deleted ones with a word after it. */
export const PERL_HARVESTERS = {
  '/usr/share/perl5/HTTP/OAI.pm': `use HTTP::OAI;
    my $harvester = HTTP::OAI::Harvester->new(baseURL => $ARGV[0]);
    my $print = sub { my $record = shift; print $record->identifier, $record->is_deleted ? " deleted" : "", "\\n" };
    my $all = $harvester->ListRecords(metadataPrefix => 'oai_dc', onRecord => $print);
    die $all->message if $all->is_error;`,
  '/usr/share/perl5/Catmandu/Importer/OAI.pm': `use Catmandu::Importer::OAI;
    Catmandu::Importer::OAI->new(url => $ARGV[0], metadataPrefix => 'oai_dc')->each(sub {
      my $record = shift; print $record->{_id}, $record->{_status} eq 'deleted' ? " deleted" : "", "\\n" });`,
} as const;

/** What a program of `PERL_HARVESTERS` prints of the repository whose server is at `origin`, sorted. */
export async function harvestByPerl(program: string, origin: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('perl', ['-e', program, `${origin}/oai`]);
  return stdout.trim().split('\n').toSorted();
}
