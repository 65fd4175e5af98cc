import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { serveDatabase } from '../support/api-server.ts';
import { sharedDatabase } from '../support/test-database.ts';

/** A metric with its values by labels. */
interface Metric {
  type: string;
  help: string;
  values: Map<string, number>;
}

/** Reads the text format of Prometheus. */
function parseMetrics(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  for (const line of text.split('\n')) {
    const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
    if (name) metrics.set(name, { help, type: '', values: new Map() });
    const [, typed = '', type = ''] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    const metric = metrics.get(typed);
    if (metric) metric.type = type;
    const [, sample = '', labels = '', value = ''] = /^([a-zA-Z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    metrics.get(sample)?.values.set(labels, Number(value));
  }
  return metrics;
}

test('the metrics of serve', async () => {
  const database = await sharedDatabase('fixture', 'sqlite');
  const started = Date.now() / 1_000;
  const server = await serveDatabase(database, {}, { until: '/ready' });
  for (const path of ['/en/api/persons', '/en/api/search?q=nofield:x']) {
    await (await server.fetch(path)).arrayBuffer();
  }
  const metrics = parseMetrics(await (await server.admin('/metrics')).text());
  const values = (name: string) => Object.fromEntries(metrics.get(name)?.values ?? []);

  // The rules of `promtool check metrics`.
  for (const [name, { type, help }] of metrics) {
    expect(help, name).not.toBe('');
    expect(name, 'a name is in lower case').toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name.endsWith('_total'), `${name} is a ${type}`).toBe(type === 'counter');
    expect(name).not.toMatch(
      /_(?:count|sum|bucket)$|counter|gauge|histogram|summary|milliseconds|_ms(?:_|$)/,
    );
  }

  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(values('archive_info')).toEqual({ [`version="${version}"`]: 1 });
  expect(values('archive_ready')).toEqual({ '': 1 });
  expect(values('archive_database_up')).toEqual({ '': 1 });
  expect(values('archive_problems_total')).toEqual({ 'problem="invalid-query"': 1 });
  const published = values('archive_edition_published_timestamp_seconds')[''];
  expect(published).toBeGreaterThan(started - 86_400);
  expect(published).toBeLessThanOrEqual(started);
  expect(values('process_start_time_seconds')['']).toBeGreaterThan(started - 1);

  const page = await readFile(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');
  const rows = page.match(/^\| `archive_[a-z_]+` \|/gm) ?? [];
  const documented = rows.flatMap((row) => row.match(/archive_[a-z_]+/g) ?? []);
  const served = [...metrics.keys()].filter((name) => name.startsWith('archive_'));
  expect(served.toSorted()).toEqual(documented.toSorted());
});
