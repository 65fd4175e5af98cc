import type { SiteSettings } from '@archiefkast/site';
import type { ParameterizedContext } from 'koa';
import type { Config } from '../config.ts';
import type { EditionsInUse } from '../edition/follow-editions.ts';
import type { OpenEdition } from '../edition/open-editions.ts';
import { PREVIEW_HEADERS } from '../http/headers.ts';
import { sendRedirect } from '../http/send.ts';
import { previewBase } from './address.ts';

/** Handles a request below a base URL. */
export type Handler = (context: ParameterizedContext) => Promise<void>;

/** Settings of an archive at an address. */
export type ArchiveSettings = Config & Pick<SiteSettings, 'isPreview'>;

/** A path below the preview of an edition. */
const PREVIEW_PATH = /^\/preview\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(\/.*)$/i;

/**
 * Serves each held edition as an archive of its own, at `/preview/{key}/`: all its pages and answers lead to each other. Nothing of it is
 * cached or listed.
 *
 * @param create makes the handler of an archive with these settings, which serves one edition and has no other
 * @returns handles a request for a held edition; false if the path is not below the preview of one
 */
export function createPreviews(
  editions: EditionsInUse,
  config: Config,
  create: (settings: ArchiveSettings, editions: EditionsInUse) => Promise<Handler>,
): (context: ParameterizedContext) => Promise<boolean> {
  const handlers = new Map<string, Promise<Handler>>();
  editions.onRetired(({ key }) => handlers.delete(key));
  const handlerOf = (open: OpenEdition): Promise<Handler> => {
    const { key } = open.edition;
    const known = handlers.get(key);
    if (known) return known;
    const baseUrl = previewBase(config, open.edition);
    const settings = { ...config, baseUrl, identityUrl: baseUrl, isPreview: true };
    const made = create(settings, withOnly(editions, open));
    handlers.set(key, made);
    return made;
  };
  return async (context) => {
    const [, key = '', rest = ''] = PREVIEW_PATH.exec(context.url) ?? [];
    const open = key === '' ? undefined : await editions.find(key.toLowerCase());
    if (!open) return false;
    context.set(PREVIEW_HEADERS);
    if (open.edition.isHeld) {
      context.url = rest;
      await (await handlerOf(open))(context);
    } else {
      // It has been served since, and so has public addresses.
      const query = `${rest.includes('?') ? '&' : '?'}edition=${open.edition.key}`;
      sendRedirect(context, { location: config.baseUrl + rest + query, status: 302 });
    }
    return true;
  };
}

/** The editions as one of them is served; no other can be named. */
function withOnly(editions: EditionsInUse, open: OpenEdition): EditionsInUse {
  const named = (name: string | number) =>
    name === open.edition.key || name === open.edition.id ? open : undefined;
  return { ...editions, current: () => open, inUse: named, find: async (name) => named(name) };
}
