import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** Every file below a folder by its path in it, or a single file; the parts of a workbook are files too. */
export async function readFiles(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const add = (name: string, content: Buffer) => {
    files.set(name, content);
    if (!name.endsWith('.xlsx')) return;
    for (const [part, inflated] of unzip(content)) files.set(`${name}/${part}`, inflated);
  };
  if (!(await stat(path)).isDirectory()) {
    add(basename(path), await readFile(path));
    return files;
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    add(relative(path, file), await readFile(file));
  }
  return files;
}

/** The parts of a ZIP file (APPNOTE 4.3.12), by its central directory. */
function unzip(zip: Buffer): [name: string, content: Buffer][] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const [method, packed, start] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 42),
    ];
    const lengths = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [number, number, number];
    const name = zip.toString('utf8', at + 46, at + 46 + lengths[0]);
    at += 46 + lengths[0] + lengths[1] + lengths[2];
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const content = zip.subarray(from, from + packed);
    return [name, method === 0 ? content : inflateRawSync(content)];
  });
}
