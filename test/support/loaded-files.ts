import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Reports each file when it is loaded, in any thread. */
const TELL_LOADED =
  "data:text/javascript,import{writeSync}from'node:fs';import{registerHooks}from'node:module';registerHooks({load(url,context,next){writeSync(2,'loaded '+url+String.fromCharCode(10));return next(url,context)}})";

/** The URLs of the files that Node loads until it ends, in all its threads. @throws Error if it fails */
export async function loadedFiles(args: readonly string[]): Promise<string[]> {
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', TELL_LOADED, ...args]);
  return [...stderr.matchAll(/^loaded (file:.*)$/gm)].map(([, url = '']) => url);
}
