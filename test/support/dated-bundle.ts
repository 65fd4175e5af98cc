import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeBundle } from './fixture/fixture-bundle.ts';

const uuid = (last: number) => `3f1d2c4b-5a69-4788-9b0c-1d2e3f4051${String(last).padStart(2, '0')}`;

export const [ANNA, TRADE, SHIPS, WHARF] = [uuid(1), uuid(2), uuid(3), uuid(4)];
export const [OPENING, JOURNEY, HIDDEN] = [uuid(5), uuid(6), uuid(7)];

/** Events with subjects: at a location, without one, and at one that is not published; and dates without a day. */
export const DATED_BUNDLE = {
  person: [{ id: 1, uuid: ANNA, title_nl: 'Anna', birth_date: 'c. 1850', death_date: '1903-11-02' }],
  subject: [
    { id: 1, uuid: TRADE, name_nl: 'Handel' },
    { id: 2, uuid: SHIPS, name_nl: 'Schepen' },
    { id: 3, uuid: uuid(8), name_nl: 'Verborgen', published: false },
  ],
  location: [
    { id: 1, uuid: WHARF, name_nl: 'Werf' },
    { id: 2, uuid: uuid(9), name_nl: 'Weg', published: false },
  ],
  event: [
    { id: 1, uuid: OPENING, name_nl: 'Opening', location: WHARF, subjects: [TRADE], date: '1871-03' },
    { id: 2, uuid: JOURNEY, name_nl: 'Reis', subjects: [SHIPS, uuid(8), TRADE], persons: [ANNA] },
    { id: 3, uuid: HIDDEN, name_nl: 'Vertrek', location: uuid(9), subjects: [SHIPS], date_start: '187X' },
  ],
};

/** The lines of its supplement, as it is served. */
export const DATED_SUPPLEMENT = [
  { kind: 'person', id: 1, uuid: ANNA, dates: { birth_date: '1850~' } },
  { kind: 'event', id: 1, uuid: OPENING, dates: { date: '1871-03' } },
  { kind: 'event', id: 2, uuid: JOURNEY, subjects: [SHIPS, TRADE] },
  { kind: 'event', id: 3, uuid: HIDDEN, dates: { date_start: '187X' }, subjects: [SHIPS] },
];

/** Writes the bundle, with a description of the archive. @returns its folder */
export async function writeDatedBundle(folder: string): Promise<string> {
  await writeBundle(folder, DATED_BUNDLE);
  const archive = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day' };
  await writeFile(join(folder, 'archive.json'), JSON.stringify(archive));
  return folder;
}
