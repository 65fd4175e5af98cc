import { hostname, userInfo } from 'node:os';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** Who ran a command. The API does not have it. */
export interface Actor {
  /** The user of the process; `unknown` if the system has no name for it, as in some containers. */
  user: string;
  host: string;
}

/** Where an edition comes from. */
export interface Provenance extends Actor {
  /** The name of the bundle: of its folder or workbook, without the path. */
  bundle: string;
  /** SHA-256 of the files of the bundle: see `digestOfFiles`. */
  sha256: string;
  /** The version of the program that published it. */
  version: string;
  /** What the publisher says of it. */
  note?: string | undefined;
}

/** The commands that change which edition is served. */
export type SwitchCommand = 'publish' | 'switch' | 'rollback';

/** A change of the served edition. */
export interface Switch {
  at: Date;
  command: SwitchCommand;
  /** The edition that was served before; null if none was. */
  from: number | null;
  to: number;
  by: Actor;
}

/** The user and host of this process. */
export function currentActor(): Actor {
  return { user: nameOfUser(), host: hostname() };
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** Records a switch, in the transaction that makes it. @param sequence that of `served`, since the switch */
export async function recordSwitch(
  transaction: Knex.Transaction,
  sequence: number,
  { at, command, from, to, by }: Switch,
): Promise<void> {
  const made_by = JSON.stringify(by);
  await transaction('switches').insert({
    ...{ sequence, edition: to, earlier: from, at: at.toISOString(), command, made_by },
  });
}

/** The changes of the served edition to editions that are kept, newest first. */
export async function listSwitches(database: Database): Promise<Switch[]> {
  return (await database('switches').orderBy('sequence', 'desc')).map(toSwitch);
}

/** The last switch to an edition; undefined if it was never served. */
export async function findSwitch(database: Database, edition: number): Promise<Switch | undefined> {
  return (await database('switches').where({ edition }).orderBy('sequence', 'desc').limit(1)).map(
    toSwitch,
  )[0];
}

/** A row of the table `switches`. */
interface SwitchRow {
  edition: number;
  earlier: number | null;
  at: string;
  command: SwitchCommand;
  made_by: string;
}

function toSwitch({ edition, earlier, at, command, made_by }: SwitchRow): Switch {
  return { at: new Date(at), command, from: earlier, to: edition, by: JSON.parse(made_by) };
}
