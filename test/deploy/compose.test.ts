import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { listSettings } from '../support/list-settings.ts';
import { needs, placeOf } from '../support/programs.ts';

const CLUSTER = new URL('../../deploy/cluster/', import.meta.url);

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()).default({}),
      volumes: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

const text = await readFile(new URL('compose.yaml', CLUSTER), 'utf8');
const { services, volumes } = composeSchema.parse(parse(text, { merge: true }));

describe('deploy/cluster/compose.yaml', () => {
  test('mounts existing files, and volumes that it creates', async () => {
    const mounted = Object.values(services).flatMap((service) =>
      service.volumes.map((each) => each.split(':')[0]),
    );
    expect(mounted.length).toBeGreaterThan(10);
    for (const source of mounted) {
      if (source?.startsWith('.')) await access(new URL(source, CLUSTER));
      else expect(Object.keys(volumes)).toContain(source);
    }
  });

  test('gives servers and jobs known settings only', async () => {
    const names = (await listSettings()).map(({ name }) => name);
    const programs = Object.entries(services).filter(([, { image }]) => image === 'archiefkast');
    expect(programs.map(([name]) => name)).toEqual(['migrate', 'publish', 'server1', 'server2', 'server3']);
    for (const [name, { environment }] of programs) {
      expect(names, name).toEqual(expect.arrayContaining(Object.keys(environment)));
      expect(environment, name).toHaveProperty('DATABASE_URL');
    }
  });

  test('needs only the variables in passwords.env.example', async () => {
    const example = await readFile(new URL('passwords.env.example', CLUSTER), 'utf8');
    const given = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect([...asked].toSorted()).toEqual(given.toSorted());
  });
});

describe('deploy/cluster/haproxy.cfg, by HAProxy', needs('haproxy'), () => {
  test('is valid with the addresses in compose.yaml', async () => {
    const file = fileURLToPath(new URL('haproxy.cfg', CLUSTER));
    const addresses = Object.entries(services['balancer']?.environment ?? {}).map(
      // The names are those of containers, which cannot be resolved here.
      ([name, value]) => [name, value.replace(/^(?:node|server)\d/, '127.0.0.1')],
    );
    const env = { PATH: process.env['PATH'], ...Object.fromEntries(addresses) };
    const { stdout, stderr } = await promisify(execFile)(placeOf('haproxy'), ['-c', '-f', file], { env });
    expect(stdout + stderr).toMatch(/^Configuration file is valid$/m);
    expect(stdout + stderr).not.toMatch(/WARNING|ALERT/);
  });
});
