import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A source file: its path from the root, its text, and its imports (local paths also from the root). */
interface Source {
  path: string;
  text: string;
  imports: string[];
}

function readSources(...patterns: string[]): Source[] {
  return globSync(patterns, { cwd: ROOT, exclude: (path) => /node_modules|dist/.test(path) }).map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const named = [...text.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map(([, name = '']) => name);
    const imports = named.map((name) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name));
    return { path, text, imports };
  });
}

const isTest = ({ path }: Source) => path.endsWith('.test.ts');
const sources = readSources('packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.ts');
const shipped = sources.filter((source) => !isTest(source));
const within = (...folders: string[]) =>
  shipped.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** The packages that sources import, without `node:` modules and local files. */
const packagesOf = (files: readonly Source[]) =>
  new Set(files.flatMap(({ imports }) => imports.filter((name) => /^@?[a-z]/.test(name) && !isLocal(name))));

function isLocal(name: string): boolean {
  return name.startsWith('node:') || name.startsWith('apps/') || name.startsWith('packages/');
}

test('finds sources', () => {
  expect(within('apps/api/src').length).toBeGreaterThan(40);
  expect(within('packages/types/src').length).toBeGreaterThan(5);
});

describe('packages/types', () => {
  const files = within('packages/types/src');

  test('imports zod only', () => {
    expect([...packagesOf(files)]).toEqual(['zod']);
  });

  test('does no I/O', () => {
    for (const { path, imports, text } of files) {
      expect(
        imports.filter((name) => name.startsWith('node:')),
        path,
      ).toEqual([]);
      expect(text, path).not.toMatch(/\b(fetch|process|console|setTimeout)\s*[.(]/);
    }
  });
});

test('packages/site imports only types and formats of the other workspaces', () => {
  const files = within('packages/site/src');
  expect(files.length).toBeGreaterThan(20);
  expect(
    offenders(files, ({ imports }) =>
      imports.filter((name) => /^(@archiefkast\/(?!types|formats)|koa|knex)/.test(name)),
    ),
  ).toEqual([]);
  const isOther = (name: string) => name.startsWith('node:');
  const reading = files.filter(({ imports }) => imports.some(isOther)).map(({ path }) => path);
  // One reads its styles and scripts, the other loads a dependency lazily.
  expect(reading).toEqual(['packages/site/src/assets.ts', 'packages/site/src/record/clean-html.ts']);
});

test('packages/system imports Node only; packages/formats imports, of the workspaces, types only', () => {
  const ours = (files: readonly Source[]) => [
    ...new Set([...packagesOf(files)].flatMap((name) => /^@archiefkast\/[^/]+/.exec(name) ?? [])),
  ];
  expect([...packagesOf(within('packages/system/src'))]).toEqual([]);
  expect(ours(within('packages/formats/src'))).toEqual(['@archiefkast/types']);
});

test('packages/client runs in a browser: its index imports no Node modules', () => {
  const reached = reachableFrom('packages/client/src/index.ts');
  expect(reached.length).toBeGreaterThan(5);
  expect(
    offenders(reached, ({ imports, text }) => [
      ...imports.filter((name) => name.startsWith('node:')),
      ...matches(text, /\bprocess\.\w+|\bBuffer\b/g),
    ]),
  ).toEqual([]);
});

describe('apps', () => {
  test('use the process in main.ts only', () => {
    const files = within('apps').filter(({ path }) => !path.endsWith('/src/main.ts'));
    expect(
      offenders(files, ({ text, imports }) => {
        const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '');
        return [
          ...matches(code, /(?<!\.)\bprocess\.(?!versions\b)\w+|\bconsole\.\w+/g),
          ...imports.filter((name) => name === 'node:process'),
        ];
      }),
    ).toEqual([]);
  });

  test('import packages, but not each other', () => {
    expect(
      offenders(within('apps'), ({ path, imports }) => {
        const own = path.split('/', 2).join('/');
        return imports.filter(
          (name) =>
            /^(archive-(api|cli)\b|packages\/)/.test(name) ||
            (name.startsWith('apps/') && !name.startsWith(`${own}/`)),
        );
      }),
    ).toEqual([]);
  });
});

describe('the API', () => {
  test('reading and writing do not import each other, even indirectly', () => {
    const reading = within('apps/api/src/edition', 'apps/api/src/http', 'apps/api/src/derived');
    expect(leadsTo(reading, [/^apps\/api\/src\/publish\//])).toEqual([]);
    expect(leadsTo(within('apps/api/src/publish'), [/^apps\/api\/src\/(edition|http|serve)\//])).toEqual([]);
  });

  test('rendering does not import the database', () => {
    const isBeyond = (name: string) =>
      /^apps\/api\/src\/(storage\/(?!marks|edition|stored-texts)|derived|edition|http|search|serve|commands)\/?|^(knex|mysql2|node:sqlite)/.test(
        name,
      );
    const files = within('apps/api/src/publish/render', 'apps/api/src/publish/bundle');
    expect(files.length).toBeGreaterThan(10);
    expect(offenders(files, ({ imports }) => imports.filter(isBeyond))).toEqual([]);
  });

  test('code outside search/ imports its index.ts only, and reading an index does not import building it', () => {
    const files = within('apps/api/src').filter(({ path }) => !/\/src\/search\//.test(path));
    const isInside = (name: string) => /^apps\/api\/src\/search\/(?!index\.ts$)/.test(name);
    expect(offenders(files, ({ imports }) => imports.filter(isInside))).toEqual([]);
    expect(leadsTo(within('apps/api/src/search/read'), [/\/search\/(build|patch)\//])).toEqual([]);
  });

  test('two files know where the texts of an edition are, of those that read it', () => {
    const files = within('apps/api/src').filter(({ path }) => !/\/src\/publish\//.test(path));
    const reading = files.filter(({ text }) => /\('texts(?: as \w+)?'/.test(text));
    expect(reading.map(({ path }) => path).toSorted()).toEqual([
      'apps/api/src/edition/texts.ts',
      'apps/api/src/storage/stored-texts.ts',
    ]);
  });

  test('only http/ and app.ts import Koa', () => {
    const files = within('apps/api/src').filter(({ path }) => !/\/src\/(http\/|app\.ts$)/.test(path));
    expect(offenders(files, ({ imports }) => imports.filter((name) => /koa/.test(name)))).toEqual([]);
  });

  test.each([
    [
      'the rooms of the API',
      'apps/api/src',
      [
        'storage',
        'search',
        'derived',
        'publish',
        'import',
        'edition',
        'http',
        'app.ts',
        'serve',
        'doctor',
        'commands',
        'cli.ts',
        'main.ts',
      ],
    ],
    ['the rooms of http/', 'apps/api/src/http', ['problems', 'contract', 'request', 'answer', 'resources']],
    [
      'the rooms of search/',
      'apps/api/src/search',
      ['fields', 'query', 'file', 'build', 'patch', 'read', 'thread', 'index.ts'],
    ],
  ])('%s import those below them alone, types too', (_, folder, rooms) => {
    const levelOf = (path: string) =>
      path.startsWith(`${folder}/`)
        ? rooms.indexOf(path.slice(folder.length + 1).split('/', 1)[0] ?? '')
        : -1;
    for (const room of rooms)
      expect(
        within(folder).some(({ path }) => levelOf(path) === rooms.indexOf(room)),
        room,
      ).toBe(true);
    expect(
      offenders(within(folder), ({ path, imports }) => {
        const own = levelOf(path);
        return own < 0 ? [] : imports.filter((name) => levelOf(name) > own);
      }),
    ).toEqual([]);
  });
});

describe('every source file', () => {
  const files = [...sources, ...readSources('test/**/*.ts')];

  test('has no suppressed checks and no TODO', () => {
    const others = files.filter(({ path }) => !path.startsWith('test/architecture/'));
    const silence = /@ts-(?:ignore|expect-error|nocheck)|biome-ignore|\bTODO\b|\bFIXME\b|as unknown as/g;
    const skipped = /\b(?:test|describe|it)\.(?:only|skip|todo)\b/g;
    expect(offenders(others, ({ text }) => [...matches(text, silence), ...matches(text, skipped)])).toEqual(
      [],
    );
  });

  test('is named in kebab-case', () => {
    const isKebab = (path: string) => /\/[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.tsx?$/.test(path);
    expect(files.map(({ path }) => path).filter((path) => !isKebab(path))).toEqual([]);
  });
});

test('the flows of docs/architecture.md name existing files', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const named = matches(text, /(?<=^\d+\. `)[^`]+(?=`: )/gm);
  expect(named.length).toBeGreaterThan(100);
  const known = new Set(shipped.map(({ path }) => path));
  expect(named.filter((path) => !known.has(path))).toEqual([]);
});

test('no import cycles', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (trail.includes(path) || done.has(path)) return;
    for (const { path: next } of importedBy(path)) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of shipped) visit(path, []);
  expect(circles).toEqual([]);
});

test('no two files import each other, even for types', () => {
  const named = new Map(shipped.map(({ path, imports }) => [path, new Set(imports)]));
  const pairs = shipped.flatMap(({ path, imports }) =>
    imports.filter((name) => name > path && named.get(name)?.has(path)).map((name) => `${path} ↔ ${name}`),
  );
  expect(pairs).toEqual([]);
});

/** The files that a file imports at run time, so without types. */
function importedBy(path: string): Source[] {
  const source = shipped.find((each) => each.path === path);
  const typesOnly = matches(source?.text ?? '', /import type [^;]+ from '[^']+'/g).flatMap((statement) =>
    matches(statement, /(?<=')[^']+(?=')/g).map((name) => normalize(join(dirname(path), name))),
  );
  return shipped.filter((each) => source?.imports.includes(each.path) && !typesOnly.includes(each.path));
}

function reachableFrom(path: string, found = new Set<string>()): Source[] {
  if (!found.has(path)) {
    found.add(path);
    for (const next of importedBy(path)) reachableFrom(next.path, found);
  }
  return shipped.filter((source) => found.has(source.path));
}

/** Chains of run-time imports that lead from files to one that matches a pattern. */
function leadsTo(files: readonly Source[], patterns: readonly RegExp[]): string[] {
  expect(files.length).toBeGreaterThan(5);
  const chains = new Map(files.map(({ path }) => [path, path]));
  for (const [path, chain] of chains) {
    for (const { path: next } of importedBy(path)) {
      if (!chains.has(next)) chains.set(next, `${chain} → ${next}`);
    }
  }
  return [...chains].filter(([path]) => patterns.some((is) => is.test(path))).map(([, chain]) => chain);
}

/** `path: error` for every file with an error. */
function offenders(files: readonly Source[], faultsOf: (source: Source) => readonly string[]): string[] {
  return files.flatMap((source) => faultsOf(source).map((fault) => `${source.path}: ${fault}`));
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([found]) => found);
}
