import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { excessOfMarkdown } from '@archiefkast/formats/markdown';
import { readPage } from '@archiefkast/formats/markdown-page';
import { isMissing } from '@archiefkast/system';
import { isWebAddress, LANGUAGES, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import { z } from 'zod';
import type { FaultList } from './faults.ts';
import { plainText } from './field-schemas.ts';
import { isMediaPath } from './media-path.ts';

/** The folder of a bundle with the pages of the archive itself: `about.nl.md`, `about.en.md`. */
export const PAGES_FOLDER = 'pages';

/** What is below a language besides pages of the archive: first segments of paths. A test compares them with the routes. */
export const TAKEN_NAMES: readonly string[] = [
  ...Object.values(PAGE_SEGMENTS),
  ...['api', 'dataset', 'docs', 'feed.atom', 'reconcile', 'zoeken'],
];

const FILE = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.(nl|en)\.md$/;

const pageName = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
    error: 'expected a name of small letters, digits and hyphens',
    abort: true,
  })
  .refine((name) => !TAKEN_NAMES.includes(name), {
    error: 'is the path of a page of the program; expected another name',
  });

const pageText = plainText.superRefine((text, { addIssue }) => {
  const refuse = (message: string) => addIssue({ code: 'custom', message });
  const excess = excessOfMarkdown(text);
  if (excess) return refuse(excess);
  const { title, images } = readPage(text);
  if (!title) refuse('expected a title in the first line: "# About this archive"');
  for (const image of images)
    if (!isWebAddress(image) && !isMediaPath(image))
      refuse(`the picture "${image}" is neither an absolute URL nor a path in MEDIA_DIR`);
});

const ofLanguage = z.record(pageName, pageText, {
  error: ({ code, input, issues }) =>
    code === 'invalid_key' ? `${input}: ${issues?.[0]?.message}` : undefined,
});

/** The schema of the pages of an archive: Markdown by name, in both languages. */
export const ownPagesSchema = z
  .strictObject({ nl: ofLanguage, en: ofLanguage } satisfies Record<Language, z.ZodType>)
  .superRefine((pages, { addIssue }) => refuseOneLanguage(pages, 'page', addIssue));

/** Refuses what has a value in one language only. @param what one of these */
export function refuseOneLanguage(
  values: Readonly<Record<Language, Readonly<Record<string, unknown>>>>,
  what: string,
  addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void,
): void {
  for (const [language, other] of [LANGUAGES, LANGUAGES.toReversed()])
    for (const key of Object.keys(values[language ?? 'en']))
      if (!(key in values[other ?? 'nl']))
        addIssue({
          code: 'custom',
          path: [other ?? 'nl', key],
          message: `is missing: the ${what} has it in ${language} only`,
        });
}

/** The files in the folder of pages, in order; none if there is no folder. */
export async function listPageFiles(bundle: string): Promise<string[]> {
  const names = await readdir(join(bundle, PAGES_FOLDER)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => !name.startsWith('.')).toSorted();
}

/** The file of a page at a path in the description of an archive; undefined if that itself has the page. */
export function pageFileAt(
  archive: unknown,
  [key, language, name]: readonly PropertyKey[],
): string | undefined {
  if (key !== 'pages' || language === undefined || name === undefined) return undefined;
  const own: unknown = Object(Object(archive)['pages'])[language];
  return name in Object(own) ? undefined : pageFile(String(name), String(language));
}

/** The file of a page in a bundle. */
export function pageFile(name: string, language: string): string {
  return `${PAGES_FOLDER}/${name}.${language}.md`;
}

/** The description of an archive with the pages of its folder. Adds faults of the names of files to `faults`. */
export async function withPagesOf(bundle: string, archive: unknown, faults: FaultList): Promise<unknown> {
  const names = await listPageFiles(bundle);
  if (names.length === 0) return archive;
  const description: { pages?: Record<string, object> } = { ...Object(archive) };
  const pages: Record<string, object> = { nl: {}, en: {}, ...description.pages };
  for (const file of names) {
    const [, name = '', language = ''] = FILE.exec(file) ?? [];
    const refuse = (reason: string) => faults.add({ file: `${PAGES_FOLDER}/${file}`, reason });
    if (name === '') refuse('expected a name such as about.nl.md or about.en.md');
    else if (name in Object(pages[language]))
      refuse('is a page that the description of the archive has too; expected one of them');
    else
      pages[language] = {
        ...pages[language],
        [name]: (await readFile(join(bundle, PAGES_FOLDER, file), 'utf8')).replace(/^\ufeff/, ''),
      };
  }
  return { ...description, pages };
}
