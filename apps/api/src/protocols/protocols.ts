import { CRAWLERS } from './crawlers/crawlers.ts';
import { IIIF } from './iiif/iiif.ts';
import { LINKED_DATA } from './linked-data/linked-data.ts';
import { MCP } from './mcp/mcp.ts';
import { OAI_PMH } from './oai/oai.ts';
import type { Protocol } from './protocol.ts';
import { RECONCILIATION } from './reconcile/reconcile.ts';

/** The protocols that are part of the product: without its line here, and its folder, a protocol is gone. */
export const PROTOCOLS: readonly Protocol[] = [LINKED_DATA, OAI_PMH, RECONCILIATION, IIIF, MCP, CRAWLERS];
