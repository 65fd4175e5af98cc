import type { CommandList } from '@archiefkast/command-line';
import type { CommandContext } from './commands/command-context.ts';
import type { ExitCode } from './exit-code.ts';

/** The commands of archive-cli. */
export const COMMANDS: CommandList<CommandContext, ExitCode> = {
  'harvest [kinds..]': {
    describe: 'Download an archive to a folder, and prove that it is complete',
    load: async () => (await import('./commands/harvest.ts')).harvestCommand,
  },
  'export <folder>': {
    describe: 'Write a harvest in more formats, without requests to the server',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  'verify <folder>': {
    describe: 'Check a harvest against its proof',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  'diff <old> <new>': {
    describe: 'List the records that were added, changed and removed between two harvests',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  'stats <folder>': {
    describe: 'Print statistics of a harvest: records, centuries, places, subjects, languages, gaps',
    load: async () => (await import('./commands/stats.ts')).statsCommand,
  },
  'search [query..]': {
    describe: 'Search an archive',
    load: async () => (await import('./commands/search.ts')).searchCommand,
  },
  'show <kind> <uuid>': {
    describe: 'Print a record as readable text',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  mcp: {
    describe: 'Let an assistant ask an archive, by the Model Context Protocol',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
};
