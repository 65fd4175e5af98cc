import { mediaAddress } from '@archiefkast/bundle/media-path';
import {
  type ArchiveIndex,
  archiveIndexSchema,
  type Editions,
  editionsSchema,
  forCollections,
} from '@archiefkast/types';
import { originalOf } from '../../edition/identity.ts';
import { type Edition, nameEdition } from '../../storage/edition.ts';
import { json, jsonContent, type Route, type RouteDependencies, toTemplate } from '../route.ts';

/**
 * The index of the API.
 *
 * @param others the endpoints that it lists
 */
export function indexRoute(others: readonly Route[], { baseUrl }: RouteDependencies): Route {
  return {
    path: '/api',
    name: 'Index',
    description: 'Title, publisher and licence of the archive, its counts, and all endpoints.',
    group: 'About',
    content: jsonContent(archiveIndexSchema),
    parameters: ['edition'],
    async handle({ language, open: { edition } }) {
      const { archive, counts, total } = edition;
      const inLanguage = others.filter(({ atRoot }) => !atRoot);
      const index: ArchiveIndex = {
        title: archive?.title?.[language] ?? null,
        description: archive?.description?.[language] ?? null,
        publisher: archive?.publisher?.[language] ?? null,
        licence: archive?.licence ?? null,
        homepage: archive?.homepage ?? null,
        ...(archive?.note && { note: archive.note[language] }),
        ...(archive?.logo !== undefined && { logo: mediaAddress(baseUrl, archive.logo) }),
        ...(archive?.colours && { colours: archive.colours }),
        language,
        edition: nameEdition(edition),
        counts: forCollections((kind) => counts[kind]),
        total,
        documentation: `${baseUrl}/docs`,
        openapi: `${baseUrl}/openapi.json`,
        endpoints: inLanguage.map(({ name, description, path, parameters }) => ({
          name,
          description,
          url: `${baseUrl}/${language}${toTemplate(path)}`,
          template: `${baseUrl}/${language}${toTemplate(path)}${parameters.length > 0 ? `{?${parameters}}` : ''}`,
        })),
      };
      return json(index);
    },
  };
}

/** The kept editions. */
export function editionsRoute(dependencies: RouteDependencies): Route {
  const originalIn = ({ archive }: Edition) => {
    const { edition: id, key } = originalOf(archive, dependencies) ?? {};
    return id !== undefined && key !== undefined && { original: { id, key } };
  };
  return {
    path: '/api/editions',
    name: 'Editions',
    description: 'The kept editions, newest first: the valid values of the parameters edition and since.',
    group: 'Bulk',
    content: jsonContent(editionsSchema),
    parameters: [],
    dependsOn: 'state',
    async handle({ open: { edition } }) {
      const kept = await dependencies.keptEditions();
      const switches = await dependencies.listSwitches();
      const editions: Editions = {
        served: edition.id,
        editions: kept.map((each) => {
          // Not who published it, nor where.
          const { bundle, sha256, version, note = null } = each.provenance;
          return {
            ...nameEdition(each),
            total: each.total,
            bundle,
            sha256,
            version,
            note,
            ...originalIn(each),
          };
        }),
        switches: switches.map(({ at, command, from, to }) => ({ at: at.toISOString(), command, from, to })),
      };
      const version = [edition.key, ...kept.map(({ id }) => id), switches[0]?.at.getTime()].join(' ');
      return { ...json(editions), version };
    },
  };
}
