// What archive-cli needs besides the public API; it runs in browsers too.
export { isHeaderValue, parseBaseUrl } from './client-options.ts';
export { dumpOf, supplementOf } from './dumps.ts';
export { type Connection, connect } from './request/request.ts';
