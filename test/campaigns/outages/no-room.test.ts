import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeBundle } from '../../support/bundles.ts';
import { freePort } from '../../support/free-port.ts';
import { runOnDisk } from '../../support/namespace.ts';
import { needs } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SAMPLE = new URL('../../../apps/api/sample', import.meta.url).pathname;

/** A function of the shell: prints the edition that the server of these settings serves; nothing while there is none. */
const SERVED = `served() { "$node" -e "fetch('http://127.0.0.1:$PORT/en/api/persons').then(({ headers }) => console.log(headers.get('archive-edition') ?? ''), () => {})"; }`;

describe('a full disk', { timeout: 120_000, ...needs('namespaces') }, () => {
  test.each([
    ['the database', 'DATABASE_URL', 70],
    ['the search index', 'DERIVED_DIR', 6],
  ])(
    'that is too small for %s: a publish names it and changes nothing, and the next one succeeds when there is room',
    async (_, setting, megabytes) => {
      const folder = await temporaryFolder();
      const disk = { folder: join(folder, 'disk'), megabytes };
      await mkdir(disk.folder);
      const bundle = await makeBundle(folder, { records: 5_000, seed: 1 });
      const said = await runOnDisk(
        disk,
        {
          DATABASE_URL: `sqlite:${setting === 'DATABASE_URL' ? disk.folder : folder}/archive.sqlite`,
          DERIVED_DIR: join(setting === 'DERIVED_DIR' ? disk.folder : folder, 'derived'),
          BASE_URL: 'http://unused.test',
        },
        `archive_api publish ${SAMPLE} >/dev/null
      dd if=/dev/zero of=$disk/fill bs=1M count=${megabytes / 2} 2>/dev/null
      archive_api publish ${bundle}; echo "exit $?"
      archive_api editions
      rm $disk/fill
      archive_api publish ${SAMPLE} --force; echo "again $?"`,
      );
      expect(said).toMatch(
        new RegExp(`^archive-api: ${setting}: ${disk.folder}/.*full.*\\nexit 1\\n\\* edition 1 `, 'm'),
      );
      expect(said).not.toContain('edition 2');
      expect(said).toMatch(/\nPublished edition 3: .*\nagain 0\n/);
    },
  );

  test('a disk that fills during a publish: the archive opens, and the next publish succeeds', async () => {
    const folder = await temporaryFolder();
    const disk = { folder: join(folder, 'disk'), megabytes: 120 };
    await mkdir(disk.folder);
    const bundle = await makeBundle(folder, { records: 5_000, seed: 1 });
    const said = await runOnDisk(
      disk,
      {
        DATABASE_URL: `sqlite:${disk.folder}/archive.sqlite`,
        DERIVED_DIR: join(folder, 'derived'),
        BASE_URL: 'http://unused.test',
        PORT: String(await freePort()),
      },
      `${SERVED}
      archive_api publish ${SAMPLE}
      "$node" "$program" publish ${bundle} & publish=$!
      while [ "$(stat -c %s $disk/archive.sqlite-wal 2>/dev/null || echo 0)" -lt 2000000 ]; do sleep 0.02; done
      dd if=/dev/zero of=$disk/fill bs=1M 2>/dev/null
      wait $publish; echo "publish $?"
      archive_api editions; echo "editions $?"
      "$node" "$program" serve >$disk/../served 2>&1 & server=$!
      until [ "$(served)" ]; do sleep 0.1; done
      kill $server; wait $server; echo "serve $?"
      rm -f $disk/archive.sqlite-shm; dd if=/dev/zero of=$disk/more bs=1k 2>/dev/null
      archive_api editions; echo "without index of the log $?"
      rm $disk/fill $disk/more
      archive_api publish ${SAMPLE} --force; echo "again $?"
      stat -c 'log %s' $disk/archive.sqlite-wal
      archive_api editions`,
    );
    expect(said).toMatch(/archive-api: DATABASE_URL: \S+: database or disk is full/);
    expect(said).toMatch(/\npublish 1\n\* edition 1 .*\neditions 0\nserve 0\n/);
    expect(said).toMatch(
      /cannot open \S+, whose disk is full: disk I\/O error\nwithout index of the log 1\n/,
    );
    expect(said).toMatch(/\nPublished edition 3: .*\n(?:.*\n)*again 0\n/);
    expect(said).toMatch(/cannot statx? .*archive\.sqlite-wal/);
    expect(said).toMatch(/\n\* edition 3 .*\n {2}edition 1 .*\n$/);
  });

  test('what a killed publish left is deleted before the next one writes', async () => {
    const folder = await temporaryFolder();
    const disk = { folder: join(folder, 'disk'), megabytes: 150 };
    await mkdir(disk.folder);
    const bundle = await makeBundle(folder, { records: 5_000, seed: 1 });
    const said = await runOnDisk(
      disk,
      {
        DATABASE_URL: `sqlite:${disk.folder}/archive.sqlite`,
        DERIVED_DIR: `${disk.folder}/derived`,
        BASE_URL: 'http://unused.test',
      },
      `archive_api publish ${SAMPLE} >/dev/null
      "$node" "$program" publish ${bundle} & publish=$!
      while [ "$(stat -c %s $disk/archive.sqlite)" -lt 25000000 ]; do sleep 0.02; done
      kill -9 $publish; wait $publish; echo "killed $?"
      dd if=/dev/zero of=$disk/fill bs=1M count=$(($(df --output=avail -m $disk | tail -n 1) - 80)) 2>/dev/null
      archive_api publish ${bundle}; echo "again $?"
      archive_api editions`,
    );
    expect(said).toMatch(/\nkilled 137\n(?:.*\n)*Published edition 3: .*\n(?:.*\n)*again 0\n/);
    expect(said).toMatch(/\n\* edition 3 .*\n {2}edition 1 .*\n$/);
  });

  test.each(['without a server', 'beside a server'])(
    'rollback and switch say so and change nothing, and work when there is room, %s',
    async (where) => {
      const folder = await temporaryFolder();
      const disk = { folder: join(folder, 'disk'), megabytes: 60 };
      await mkdir(disk.folder);
      const said = await runOnDisk(
        disk,
        {
          DATABASE_URL: `sqlite:${disk.folder}/archive.sqlite`,
          DERIVED_DIR: join(folder, 'derived'),
          BASE_URL: 'http://unused.test',
          PORT: String(await freePort()),
        },
        `${SERVED}
      archive_api publish ${SAMPLE} >/dev/null; archive_api publish ${SAMPLE} --force >/dev/null
      ${where === 'beside a server' ? 'serve=1' : ''}
      if [ $serve ]; then
        "$node" "$program" serve >$disk/../served 2>&1 & server=$!
        until [ "$(served)" ]; do sleep 0.1; done
      fi
      dd if=/dev/zero of=$disk/fill bs=1k 2>/dev/null
      df --output=avail $disk | tail -n 1
      archive_api rollback; echo "rollback $?"
      archive_api switch 1; echo "switch $?"
      if [ $serve ]; then echo "still $(served)"; fi
      rm $disk/fill
      archive_api editions
      archive_api rollback; echo "rollback $?"
      if [ $serve ]; then until [ "$(served)" = 1 ]; do sleep 0.1; done; kill $server; wait $server; echo "server $?"; fi
      archive_api editions`,
      );
      expect(said).toMatch(
        /^ *0\narchive-api: DATABASE_URL: .*full.*\nrollback 1\narchive-api: DATABASE_URL: .*full.*\nswitch 1\n/m,
      );
      if (where === 'beside a server') expect(said).toMatch(/\nstill 2\n(?:.*\n)*server 0\n/);
      expect(said).toMatch(/\n\* edition 2 .*\n {2}edition 1 .*\nNow serving edition 1: .*\nrollback 0\n/);
      expect(said).toMatch(/\n {2}edition 2 .*\n\* edition 1 .*\n(?:(?:rollback|switch) .*\n)+$/);
    },
  );
});
