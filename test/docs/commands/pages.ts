import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Command, readCommands } from './read-commands.ts';

const pageSchema = z.strictObject({
  page: z.string(),
  /** Commands that readers of the page have run before. */
  before: z.array(z.string()).default([]),
  /** Whether they have installed the packages, and Node 24. */
  installed: z.boolean().default(false),
});

/** A page whose commands are run. */
export type Page = z.infer<typeof pageSchema>;

const schema = z.strictObject({
  pages: z.array(pageSchema),
  /** Page, beginning of the command, reason. */
  notRun: z.array(z.tuple([z.string(), z.string(), z.string()])),
});

export const { pages: PAGES, notRun: NOT_RUN } = schema.parse(
  parse(readFileSync(new URL('pages.yaml', import.meta.url), 'utf8')),
);

/** Why a command is not run; undefined if it is. */
export function whyNot({ page, text }: Command): string | undefined {
  return NOT_RUN.find(([ofPage, beginning]) => page === ofPage && text.startsWith(beginning))?.[2];
}

/** The commands of a page of a checkout. */
export function commandsOf(checkout: URL, page: string): Command[] {
  return readCommands(page, readFileSync(new URL(page, checkout), 'utf8'));
}
