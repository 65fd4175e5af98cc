// What archive-cli needs besides the public API; it runs in browsers too.
export { isHeaderValue, parseBaseUrl } from './client-options.ts';
export { supplementOf } from './dumps.ts';
