import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Says of each file that is loaded, in any thread, at once. */
const TELL_LOADED =
  "data:text/javascript,import{writeSync}from'node:fs';import{registerHooks}from'node:module';registerHooks({load(url,context,next){writeSync(2,'loaded '+url+String.fromCharCode(10));return next(url,context)}})";

/** The files, as URLs, that Node loads until it ends by itself, in all its threads. @throws Error when it fails */
export async function loadedFiles(args: readonly string[]): Promise<string[]> {
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', TELL_LOADED, ...args]);
  return [...stderr.matchAll(/^loaded (file:.*)$/gm)].map(([, url = '']) => url);
}
