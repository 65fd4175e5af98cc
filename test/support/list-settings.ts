import { runApiHere } from './api-here.ts';

/** A setting as `archive-api --help` describes it. */
export interface DescribedSetting {
  name: string;
  meaning: string;
  fallback: string;
}

/** The settings in the help of archive-api. */
export async function listSettings(): Promise<DescribedSetting[]> {
  const { stdout } = await runApiHere(['--help']);
  const [, settings = ''] = stdout.split('\nSettings (environment variables):\n');
  return settings
    .split(/^ {2}(?=[A-Z][A-Z_]+ )/m)
    .slice(1)
    .map((text) => {
      const [, name = '', meaning = '', fallback = ''] =
        /^(\w+) (.*) \[(.*)\]/.exec(text.replaceAll(/\s+/g, ' ')) ?? [];
      return { name, meaning, fallback };
    });
}
