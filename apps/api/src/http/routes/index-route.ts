import { type ArchiveIndex, archiveIndexSchema } from '@archive/types';
import { nameEdition } from '../../editions/edition.ts';
import { type ArchiveRoute, json, jsonContent, type Route, type RouteDependencies } from './route.ts';

/**
 * What the archive is, and what can be asked of it.
 *
 * @param others the endpoints that it lists
 */
export function indexRoute(others: readonly Route[], { baseUrl }: RouteDependencies): ArchiveRoute {
  return {
    path: '/api',
    name: 'Index',
    description: 'What the archive is: title, publisher and licence, its counts, and every endpoint.',
    group: 'About',
    content: jsonContent(archiveIndexSchema),
    parameters: ['edition'],
    async answer({ language, open: { edition } }) {
      const { archive, counts, total } = edition;
      const inLanguage = others.filter(({ atRoot }) => !atRoot);
      const index: ArchiveIndex = {
        title: archive?.title[language] ?? null,
        description: archive?.description?.[language] ?? null,
        publisher: archive?.publisher?.[language] ?? null,
        licence: archive?.licence ?? null,
        homepage: archive?.homepage ?? null,
        language,
        edition: nameEdition(edition),
        counts: {
          persons: counts.person,
          subjects: counts.subject,
          locations: counts.location,
          events: counts.event,
        },
        total,
        documentation: `${baseUrl}/docs`,
        openapi: `${baseUrl}/openapi.json`,
        endpoints: inLanguage.map(({ name, description, path }) => ({
          name,
          description,
          url: `${baseUrl}/${language}${toTemplate(path)}`,
        })),
      };
      return json([JSON.stringify(index)]);
    },
  };
}

/** The path of a route as a URI template (RFC 6570): `{uuid}` for `:uuid`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
