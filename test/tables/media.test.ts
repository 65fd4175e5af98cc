import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { ARCHIVE, folder, folderOf, said, useFolder } from './mistaken-bundles.ts';

useFolder();

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');

const TABLES = {
  persons:
    'id,title_nl,image_url,image_credit,image_copyright\n' +
    '1,Anna Vos,portraits/vos.png,RA,PD\n2,Piet,portraits/piet.png,RA,PD\n3,Kee,portraits/kee.jpg,RA,PD\n4,Zoë,zoe\u0308.png,RA,PD\n',
  events: 'id,name_nl\n1,Opening\n',
  files: `id,uuid,owner_kind,owner,role,order,path,filetype,alt,copyright\n1,,event,1,image,,new.avif,image,RA,PD\n2,${ARCHIVE},event,1,file,1,zoek.pdf,file,RA,PD\n`,
};

async function mediaFolder(): Promise<string> {
  const media = join(folder, 'media');
  await mkdir(join(media, 'portraits'), { recursive: true });
  for (const name of ['portraits/vos.png', 'portraits/kee.jpg', 'zo\u00eb.png']) {
    await writeFile(join(media, name), PNG);
  }
  await writeFile(join(media, 'zoek.pdf'), 'text');
  return media;
}

describe('files that records name by path', () => {
  test('are looked for in a folder', async () => {
    const media = await mediaFolder();
    expect(await said(await folderOf(TABLES), media)).toEqual([
      'warning: persons.csv:3: image_url: "portraits/piet.png" is not in …/media',
      'warning: files.csv:2: path: "new.avif" is not in …/media',
      'warning: persons.csv:4: image_url: "portraits/kee.jpg" contains a .png file: rename it to portraits/kee.png; it will not be sent',
      'warning: files.csv:3: path: "zoek.pdf" does not contain a .pdf file; it will not be sent',
    ]);
  });

  test('with check --media, and not without', async () => {
    const media = await mediaFolder();
    const bundle = await folderOf(TABLES);
    const { stdout } = await runApiHere(['check', bundle, '--media', media]);
    expect(stdout).toContain(`persons.csv:3: image_url: "portraits/piet.png" is not in ${media}\n`);
    expect((await runApiHere(['check', bundle])).stdout).not.toContain('portraits');
    expect(await runApiHere(['check', bundle, '--media', join(media, 'none')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--media: expected a readable folder, got '),
    });
  });

  test('with publish, which warns if MEDIA_DIR is not set', async () => {
    const bundle = await folderOf(TABLES);
    const database = await createTestDatabase('sqlite');
    try {
      const without = await runApiHere(['publish', bundle], settingsFor(database));
      expect(without.stderr).toContain(
        'warning: persons.csv:2: image_url: is a path in MEDIA_DIR, which is not set: the file will not be sent (also on line 3, 4, 5)\n',
      );
      const media = await mediaFolder();
      const other = await runApiHere(
        ['publish', bundle, '--force'],
        settingsFor(database, { MEDIA_DIR: media }),
      );
      expect(other.stderr).toContain(`persons.csv:3: image_url: "portraits/piet.png" is not in ${media}\n`);
    } finally {
      await database.drop();
    }
  });
});
