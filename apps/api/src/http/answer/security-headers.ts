import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

/**
 * What browsers are told for safety with every answer. Other sites may use the answers: that is what they are for.
 * `Strict-Transport-Security` is left to whoever terminates TLS: it holds for a whole host, of which the archive may
 * be one path.
 */
const EVERYWHERE: HelmetOptions = {
  contentSecurityPolicy: false,
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xFrameOptions: { action: 'deny' },
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** The security headers of every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = whatHelmetSets(EVERYWHERE);

/** The policy for data: were it ever shown as a page, nothing in it would run. */
const DATA_POLICY = policy({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] });

/** The policy for pictures and documents: opened by themselves, they can do nothing either. */
const MEDIA_POLICY = policy({ defaultSrc: ["'none'"], sandbox: [], frameAncestors: ["'none'"] });

/**
 * The content security policy of answers by their type: pages use what this server serves, show pictures of any web
 * server, and ask the archive; data does nothing. Nothing that a bundle holds is part of it: it follows BASE_URL alone.
 */
export function createContentSecurityPolicy(baseUrl: string): (contentType: string) => string {
  const pagePolicy = policy({
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'https:', 'http:', 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", new URL(baseUrl).origin],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  });
  return (contentType) => {
    if (/^(?:image\/|application\/pdf)/.test(contentType)) return MEDIA_POLICY;
    return contentType.startsWith('text/html') ? pagePolicy : DATA_POLICY;
  };
}

function policy(directives: Record<string, string[]>): string {
  const headers = whatHelmetSets({
    ...EVERYWHERE,
    contentSecurityPolicy: { useDefaults: false, directives },
  });
  return headers['content-security-policy'] ?? '';
}

/** Asks helmet once what it would send, so that an answer costs no middleware. */
function whatHelmetSets(options: HelmetOptions): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, () => {});
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
