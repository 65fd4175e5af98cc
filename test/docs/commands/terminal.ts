import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

const DOCUMENTED = 3_000;
const START_MILLISECONDS = 300_000;
/** Commands that serve until they are stopped. */
const SERVES = /\b(?:npm start|archiefkast serve|archive-api serve)\b/;
/** The width of a usual terminal, on which the examples were made. */
const COLUMNS = 80;

/** How a command ended; of a server, once it answers. */
export interface Typed {
  code: number | null;
  /** What the terminal shows, with the documented port. */
  printed: string;
}

/** What a reader types into: a terminal, and another one that a server runs in. */
export interface Terminal {
  /** Runs a command. A server is left running, in place of the one before. */
  type(command: string): Promise<Typed>;
  /** Stops the server, as Ctrl-C does. */
  stop(): Promise<void>;
}

export async function createTerminal(folder: string, environment: NodeJS.ProcessEnv): Promise<Terminal> {
  const port = await freePort();
  const env = {
    ...environment,
    SHELL: '/bin/sh',
    PORT: String(port),
    ARCHIVE_URL: `http://localhost:${port}`,
  };
  let server: ChildProcess | undefined;

  const here = (text: string) => text.replaceAll(`localhost:${DOCUMENTED}`, `localhost:${port}`);
  const shown = (text: string) => asShown(text).replaceAll(`localhost:${port}`, `localhost:${DOCUMENTED}`);

  const start = async (command: string): Promise<Typed> => {
    if (await serves(port)) throw new Error(`expected port ${port} to be free`);
    const started = spawn('sh', ['-c', command], { cwd: folder, env, detached: true });
    server = started;
    let printed = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    for (const end = performance.now() + START_MILLISECONDS; performance.now() < end; await sleep(200)) {
      if (started.exitCode !== null) return { code: started.exitCode, printed: shown(printed) };
      if (await serves(port)) return { code: 0, printed: shown(printed) };
    }
    return { code: null, printed: shown(printed) };
  };

  const stop = async (): Promise<void> => {
    if (server?.pid === undefined) return;
    const group = -server.pid;
    server = undefined;
    // The shell may end before the server that it started.
    for (let tries = 0; isRunning(group); tries += 1) {
      if (tries % 100 === 0) process.kill(group, tries === 0 ? 'SIGINT' : 'SIGKILL');
      await sleep(100);
    }
  };

  const type = async (command: string): Promise<Typed> => {
    const text = here(command);
    if (SERVES.test(text)) {
      await stop();
      return await start(text);
    }
    const typed = `stty columns ${COLUMNS}; ${text}`;
    const running = spawn('script', ['-qefc', typed, '/dev/null'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    running.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
    const [code] = await once(running, 'close');
    return { code, printed: shown(printed) };
  };
  return { type, stop };
}

/** The text that is left on a terminal: without colours, and without what was written over. */
function asShown(text: string): string {
  const lines = stripVTControlCharacters(text).replace(/\r+\n/g, '\n').split('\n');
  return lines
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n')
    .trim();
}

/** Whether an archive is served, with its search: persons are found. */
async function serves(port: number): Promise<boolean> {
  const url = `http://localhost:${port}/en/api/search?q=kind:person`;
  const count = await fetch(url, { headers: { connection: 'close' } })
    .then(async (response) => (await response.json()).count)
    .catch(() => 0);
  return count > 0;
}

function isRunning(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}

/** A free port with as many digits as the documented one, so that tables are as wide as those of the pages. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = DOCUMENTED + Math.floor(Math.random() * DOCUMENTED);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false);
    probe.close();
    if (isFree) return port;
  }
  throw new Error('no port is free');
}
