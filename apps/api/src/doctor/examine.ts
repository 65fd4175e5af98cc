import { checkCompression } from './check-compression.ts';
import { checkConditions } from './check-conditions.ts';
import { checkCors } from './check-cors.ts';
import { checkEditionAge } from './check-edition-age.ts';
import { checkErrors } from './check-errors.ts';
import { checkLinks } from './check-links.ts';
import { checkQueries } from './check-queries.ts';
import { checkRanges } from './check-ranges.ts';
import { fetchRaw } from './fetch-raw.ts';
import { type Finding, fault } from './finding.ts';

/** Looks at one thing, as a client of the archive at `baseUrl` sees it. */
export type Check = (baseUrl: string) => Promise<Finding[]>;

const CHECKS: Readonly<Record<string, Check>> = {
  links: checkLinks,
  CORS: checkCors,
  conditions: checkConditions,
  compression: checkCompression,
  ranges: checkRanges,
  queries: checkQueries,
  errors: checkErrors,
  edition: checkEditionAge,
};

/**
 * Walks the public address of an archive as its clients do, and says what stands between: a proxy that leads elsewhere,
 * drops headers, compresses twice or holds an edition for too long.
 *
 * @param baseUrl root of every link
 * @returns what was found, in the order in which it was looked for; only the first where nothing answers at all
 */
export async function examine(baseUrl: string): Promise<Finding[]> {
  try {
    await fetchRaw(`${baseUrl}/en/api/persons`);
  } catch (error) {
    return [
      fault(
        'reach',
        `Nothing answers at ${baseUrl}: ${reasonOf(error)}. Is BASE_URL the address that clients use, and does the proxy run?`,
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await check(baseUrl)));
    } catch (error) {
      findings.push(fault(name, `The connection broke while this was looked at: ${reasonOf(error)}.`));
    }
  }
  return findings;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
