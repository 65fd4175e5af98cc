import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Loaded before a program: writes the address of every module that it loads, in any thread, to the file `LOADED`. */
const file = process.env['LOADED'] ?? '';

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});
