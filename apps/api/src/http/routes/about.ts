import { mediaAddress } from '@archiefkast/bundle/media-path';
import {
  type ArchiveIndex,
  archiveIndexSchema,
  type Editions,
  editionsSchema,
  forCollections,
} from '@archiefkast/types';
import { nameEdition } from '../../storage/edition.ts';
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
        title: archive?.title[language] ?? null,
        description: archive?.description?.[language] ?? null,
        publisher: archive?.publisher?.[language] ?? null,
        licence: archive?.licence ?? null,
        homepage: archive?.homepage ?? null,
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
export function editionsRoute({ keptEditions }: RouteDependencies): Route {
  return {
    path: '/api/editions',
    name: 'Editions',
    description: 'The kept editions, newest first: the valid values of the parameters edition and since.',
    group: 'Bulk',
    content: jsonContent(editionsSchema),
    parameters: [],
    dependsOn: 'state',
    async handle({ open: { edition } }) {
      const kept = await keptEditions();
      const editions: Editions = {
        served: edition.id,
        editions: kept.map((each) => ({ ...nameEdition(each), total: each.total })),
      };
      const version = [edition.key, ...kept.map(({ id }) => id)].join(' ');
      return { ...json(editions), version };
    },
  };
}
