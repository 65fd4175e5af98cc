import { dataPackageFile } from './data-package-file.ts';
import type { FileOptions, FormatFile } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { loadFormats } from './registry.ts';

/** Which files are to be written. */
export interface FormatPlan extends FileOptions {
  /** The names of the formats, in the order of the registry. */
  formats: string[];
  /** @param folder that they are written into, with their description */
  files(source: HarvestSource, folder: string): FormatFile[];
}

/**
 * Plans to write some formats.
 *
 * @param names of the formats
 * @param warn is told once what a file cannot hold
 * @param held the formats that the folder has already, which its description names too
 */
export async function planFormats(
  names: readonly string[],
  { bom, both, html }: FileOptions,
  warn: (sentence: string) => void,
  held: readonly string[] = [],
): Promise<FormatPlan> {
  const formats = await loadFormats(names);
  const described = await loadFormats([...names, ...held]);
  const said = new Set<string>();
  const options = {
    bom,
    both,
    html,
    warn(sentence: string) {
      if (!said.has(sentence)) warn(sentence);
      said.add(sentence);
    },
  };
  return {
    formats: formats.map(({ name }) => name),
    bom,
    both,
    html,
    files(source, folder) {
      const all = described.flatMap((format) => format.files(source, { ...options, warn: () => {} }));
      return [
        ...formats.flatMap((format) => format.files(source, options)),
        dataPackageFile(
          folder,
          all.map(({ name }) => name),
          source,
        ),
      ];
    },
  };
}
