import type { CommandList } from '@archiefkast/command-line';
import type { CommandContext } from './commands/command.ts';
import { growHeapSlowly } from './commands/grow-heap-slowly.ts';

/** The commands of archive-api. They are loaded on demand: publishing needs no server, and `--help` needs neither. */
export const COMMANDS: CommandList<CommandContext, void> = {
  'publish <bundle>': {
    describe: 'Publish a bundle as a new edition and serve it',
    load: () => growHeapSlowly(async () => (await import('./commands/publish.ts')).publishCommand),
  },
  'follow <address>': {
    describe: 'Publish what another archive serves as a copy of it, and keep it the same',
    load: () => growHeapSlowly(async () => (await import('./follow/follow-command.ts')).followCommand, 25),
  },
  serve: {
    describe: 'Serve the archive over HTTP',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  editions: {
    describe: 'List the kept editions, newest first; * marks the served one',
    load: async () => (await import('./commands/editions.ts')).editionsCommand,
  },
  'switch <edition>': {
    describe: 'Serve another kept edition',
    load: async () => (await import('./commands/editions.ts')).switchCommand,
  },
  rollback: {
    describe: 'Serve the edition before the served one',
    load: async () => (await import('./commands/editions.ts')).rollbackCommand,
  },
  doctor: {
    describe: 'Check BASE_URL as a client would, and report errors of a proxy',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  register: {
    describe: 'Submit the archive to the register of datasets (DATASET_REGISTER)',
    load: async () => (await import('./commands/register.ts')).registerCommand,
  },
  migrate: {
    describe: 'Create the tables of the database',
    load: async () => (await import('./commands/editions.ts')).migrateCommand,
  },
  index: {
    describe: 'Build missing search indexes, before a server is started',
    load: () => growHeapSlowly(async () => (await import('./commands/editions.ts')).indexCommand),
  },
  pictures: {
    describe:
      'Make the smaller sizes and tiles of pictures that the kept editions list and PICTURES_DIR lacks',
    load: async () => (await import('./pictures/pictures-command.ts')).picturesCommand,
  },
  'check <bundle>': {
    describe: 'Validate a bundle without a database: report errors and warnings',
    load: () => growHeapSlowly(async () => (await import('./commands/check.ts')).checkCommand),
  },
  'extract <out>': {
    describe: 'Write the served edition as a bundle: a workbook if <out> ends in .xlsx, else a folder',
    load: async () => (await import('./commands/extract.ts')).extractCommand,
  },
  'convert <in> <out>': {
    describe: 'Convert a bundle: to a workbook if <out> ends in .xlsx, else to a folder',
    load: async () => (await import('./commands/convert.ts')).convertCommand,
  },
  'template <out>': {
    describe:
      'Write an empty bundle to fill in: a workbook if <out> ends in .xlsx, else a folder of CSV files',
    load: async () => (await import('./commands/convert.ts')).templateCommand,
  },
  'import <source..>': {
    describe: 'Make a bundle of any CSV files and workbooks, by a map of their columns',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
};
