import type { ArchiveDescription } from '@archiefkast/bundle';

/** The addresses of a server. */
export interface Addresses {
  /** Base of every link. */
  baseUrl: string;
  /** Base of the addresses that name records, unless the edition is a copy. */
  identityUrl: string;
}

/** What an edition is a copy of; undefined if it is none, as one that was restored from a harvest of itself. */
export function originalOf(
  archive: Pick<ArchiveDescription, 'mirror_of'> | undefined,
  { identityUrl }: Pick<Addresses, 'identityUrl'>,
): ArchiveDescription['mirror_of'] {
  const original = archive?.mirror_of;
  return original?.address === identityUrl ? undefined : original;
}

/** The bases of all addresses in descriptions of an edition: a copy names its records as the original does. */
export function namingOf(archive: ArchiveDescription | undefined, { baseUrl, identityUrl }: Addresses) {
  const identity = originalOf(archive, { identityUrl })?.address ?? identityUrl;
  return { baseUrl, identity, derivedFrom: archive?.derived_from };
}
