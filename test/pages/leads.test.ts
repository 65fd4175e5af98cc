import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { SAMPLE } from '../support/sample.ts';
import { describeSite } from '../support/site-archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { getJson } from '../support/walk.ts';

interface Line {
  [field: string]: unknown;
  uuid: string;
  id: number;
}

/** The published records of a file of the sample, read without any code of the programs. */
async function linesOf(collection: string): Promise<Line[]> {
  const text = await readFile(join(SAMPLE, `${collection}.jsonl`), 'utf8');
  const lines: Line[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.filter(({ published }) => published !== false);
}

/** The uuid at the end of a reference. */
const uuidIn = (reference: unknown) => /[-0-9a-f]{36}/.exec(JSON.stringify(reference ?? ''))?.[0];

/** The searches that a part of a page leads to, with the words of their links. */
const searchesIn = (html: string) =>
  Array.from(html.matchAll(/zoeken\/\?q=([^"&]*)[^"]*"[^>]*>(.*?)<\/a>/gs), ([, q = '', words = '']) => ({
    q: decodeURIComponent(q.replaceAll('+', ' ')),
    words: words.replaceAll(/<[^>]*>/g, ''),
  }));

/** The bars of a page: their query and their count. */
const barsIn = (html: string) =>
  Array.from(html.matchAll(/zoeken\/\?q=([^"&]*)[^"]*" title="[\d–]+: (\d+)"/g), ([, q = '', count]) => ({
    q: decodeURIComponent(q.replaceAll('+', ' ')),
    count: Number(count),
  }));

/** The cards under a heading: the uuid of each, and its picture. */
const cardsUnder = (html: string, title: string) => {
  const section = new RegExp(`<h2>${title}</h2>(.*?)</section>`, 's').exec(html)?.[1] ?? '';
  return section
    .split('<li class="card"')
    .slice(1)
    .map((card) => ({
      uuid: uuidIn(/<a href="[^"]*"/.exec(card)?.[0]),
      picture: /<img[^>]* src="([^"]*)"/.exec(card)?.[1],
    }));
};

const hasPicture = ({ image, main_image: main }: Line) => Boolean(image ?? main);

const sectionOf = (html: string, id: string) =>
  new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(html)?.[1] ?? '';

describeSite(
  'pages of the sample lead on',
  'sample',
  ({ archive, pathOf }) => {
    const read = async (path: string) => (await archive().fetch(path)).text();
    const countOf = async (q: string) =>
      (await getJson(archive(), `/en/api/search?q=${encodeURIComponent(q)}`))['count'];

    test('a town to all events, locations and persons in it, counted from the files of the archive', async () => {
      const [locations, events, persons] = await Promise.all(['locations', 'events', 'persons'].map(linesOf));
      const inTown = new Set(locations?.filter(({ city }) => city === 'Leiden').map(({ uuid }) => uuid));
      const expected = [
        events?.filter(({ location }) => inTown.has(uuidIn(location) ?? '')).length,
        inTown.size,
        persons?.filter(({ birth_place: born, death_place: died }) => born === 'Leiden' || died === 'Leiden')
          .length,
      ];
      const area = sectionOf(await read(await pathOf('kind:location name:="Leiden"')), 'area');
      const counts = Array.from(area.matchAll(/<strong>([\d,]+)<\/strong>/g), ([, count]) => Number(count));
      expect(counts).toEqual(expected);
      for (const { q, words } of searchesIn(area).slice(0, 3))
        expect(await countOf(q)).toBe(Number(/\d+/.exec(words)?.[0]));
      const bars = barsIn(area);
      expect(bars.length).toBeGreaterThan(3);
      for (const { q, count } of bars) expect(await countOf(q), q).toBe(count);
      const shown = bars.reduce((sum, { count }) => sum + count, 0);
      const missing = Number(/Not shown: (\d+) of/.exec(area)?.[1] ?? 0);
      expect(shown + missing).toBe(expected[0]);
    });

    test('a subject to all records below it, counted from the files of the archive', async () => {
      const subjects = await linesOf('subjects');
      const others = (await Promise.all(['persons', 'locations', 'events'].map(linesOf))).flat();
      const about = new Map<string, Set<string>>();
      for (const { uuid, subjects: of } of others)
        for (const subject of (of as unknown[] | undefined) ?? []) {
          const key = uuidIn(subject) ?? '';
          about.set(key, (about.get(key) ?? new Set()).add(uuid));
        }
      const below = (subject: Line): Set<string> => {
        const children = subjects.filter(({ parent }) => parent === subject.id);
        const own = [...(about.get(subject.uuid) ?? [])];
        return new Set([...own, ...children.flatMap((child) => [...below(child)])]);
      };
      const broad = subjects.filter(({ id }) => subjects.some(({ parent }) => parent === id));
      expect(broad.length).toBeGreaterThan(3);
      for (const subject of broad) {
        const html = await read(`/en/onderwerpen/${subject.uuid}/`);
        const [all, ...kinds] = searchesIn(/<p class="line">.*?<\/p>/s.exec(html)?.[0] ?? '');
        expect(Number(/\d+/.exec(all?.words ?? '')?.[0] ?? 0), subject.uuid).toBe(below(subject).size);
        for (const { q, words } of kinds) expect(await countOf(q), q).toBe(Number(/\d+/.exec(words)?.[0]));
      }
    });

    test('the list of subjects to two levels of their hierarchy', async () => {
      const subjects = await linesOf('subjects');
      const html = await read('/en/onderwerpen/');
      const roots = subjects.filter(({ parent }) => !parent);
      const children = subjects.filter(({ parent }) => roots.some(({ id }) => id === parent));
      const more = Array.from(html.matchAll(/#narrower">(\d+) more</g), ([, count]) => Number(count));
      const listed = [...roots, ...children].filter(({ uuid }) => html.includes(`onderwerpen/${uuid}/"`));
      expect(listed.length + more.reduce((sum, count) => sum + count, 0)).toBe(
        roots.length + children.length,
      );
      expect(children.filter(({ uuid }) => html.includes(uuid)).length).toBeGreaterThan(5);
    });

    test('a location to the six places nearest to it', async () => {
      const html = await read(await pathOf('kind:location city:Leiden'));
      const near = Array.from(sectionOf(html, 'near').matchAll(/class="fact">(?:[^<]* · )?([\d.]+) (k?m)</g));
      const metres = near.map(([, length, unit]) => Number(length) * (unit === 'km' ? 1_000 : 1));
      expect(metres).toHaveLength(6);
      expect(metres).toEqual(metres.toSorted((one, other) => one - other));
    });

    test('an event to those before and after it at its place, and to its year', async () => {
      const html = await read(await pathOf('kind:event huygens pendulum clock'));
      const around = Array.from(
        sectionOf(html, 'around').matchAll(/<span class="when">[^<]*?(\d{4})</g),
        ([, year]) => Number(year),
      );
      expect(around.length).toBeGreaterThan(1);
      expect(around).toEqual(around.toSorted((a, b) => a - b));
      const [{ q, words } = { q: '', words: '' }] = searchesIn(sectionOf(html, 'year'));
      expect([q, words]).toEqual(['kind:event date:1656..1656', 'All events of 1656']);
      expect(await countOf(q)).toBeGreaterThan(0);
    });

    test('the bars of a search to its results in each part of time, all or said', async () => {
      for (const q of ['leiden', 'kind:person', 'kind:event date:1650..1659', 'kind:event city:leiden']) {
        const html = await read(`/en/zoeken/?q=${encodeURIComponent(q)}`);
        const bars = barsIn(html);
        expect(bars.length, q).toBeGreaterThan(1);
        for (const bar of bars) expect(await countOf(bar.q), bar.q).toBe(bar.count);
        const [, missing = '0', all] = /Not shown: (\d+) of (\d+)/.exec(html) ?? [];
        const shown = bars.reduce((sum, { count }) => sum + count, 0);
        if (all !== undefined) expect(shown + Number(missing)).toBe(Number(all));
        else expect(shown).toBe(Number(/>(\d+) <strong>|>(\d+) results?</.exec(html)?.[2]));
      }
    });

    test('words of which no record has all to each of them, spelt as in names', async () => {
      const html = await read('/en/zoeken/?q=huigens+sterrenwachtt+leiden');
      const ways = /<p class="instead">.*?<\/p>/s.exec(html)?.[0] ?? '';
      expect(ways).toContain('No record has all words');
      expect(ways).toContain('>Huygens</a>');
      expect(ways).toMatch(/>leiden<\/a> <span class="count">\d/i);
    });

    test('a place of birth without a page to what there is of it', async () => {
      const [persons, locations] = await Promise.all(['persons', 'locations'].map(linesOf));
      const names = new Set(locations?.map(({ city }) => city));
      const person = persons?.find(({ birth_place: born }) => born && !names.has(born));
      const html = await read(`/en/personen/${person?.uuid}/`);
      const [link] = searchesIn(/<dl class="life">.*?<\/dl>/s.exec(html)?.[0] ?? '');
      expect(link?.words).toBe(person?.['birth_place']);
      expect(await countOf(link?.q ?? '')).toBeGreaterThan(0);
    });

    test('persons, locations and events of a town to the page of the town', async () => {
      const town = await pathOf('kind:location name:="Leiden"');
      const link = `href="../../..${town}#area"`;
      for (const [query, place] of [
        ['kind:person birth_place:="Leiden"', /<dl class="life">.*?<\/dl>/s],
        ['kind:location city:="Leiden" -name:="Leiden"', /<nav class="trail".*?<\/nav>/s],
        ['kind:event city:="Leiden" academy', /<section id="location">.*?<\/section>/s],
      ] as const) {
        const html = await read(await pathOf(query));
        expect(place.exec(html)?.[0], query).toContain(link);
      }
      expect(/<nav class="trail".*?<\/nav>/s.exec(await read(town))?.[0]).not.toContain('#area');
      expect(sectionOf(await read(town), 'area')).toContain('In this town');
    });
  },
  {},
);

describeSite(
  'the front page of the sample',
  'sample',
  ({ archive }) => {
    test('shows records with a picture and a text, of an archive that names none', async () => {
      const html = await (await archive().fetch('/en/')).text();
      const shown = cardsUnder(html, 'From the archive');
      expect(shown).toHaveLength(6);
      const records = (await Promise.all(['persons', 'locations', 'events', 'subjects'].map(linesOf))).flat();
      for (const { uuid, picture } of shown) {
        const record = records.find((each) => each.uuid === uuid);
        expect(JSON.stringify(record), uuid).toContain(picture?.split('/').at(-1));
        expect(
          record?.['content_en'] || record?.['description_en'] || record?.['summary_en'],
          uuid,
        ).toBeTruthy();
      }
    });

    test('results of a search have the small pictures that their records have', async () => {
      const of = async (q: string) => {
        const html = await (await archive().fetch(`/en/zoeken/?q=${encodeURIComponent(q)}`)).text();
        return (html.match(/<img class="thumbnail" src="[^"]+" alt width="72" height="72"/g) ?? []).length;
      };
      const countOf = (name: string) => linesOf(name).then((lines) => lines.filter(hasPicture).length);
      expect(await of('has:image kind:person')).toBe(await countOf('persons'));
      expect(await of('has:image kind:location')).toBe(await countOf('locations'));
      expect(await of('kind:event date:1600..1602')).toBe(0);
    });
  },
  {},
);

/** The sample, of which the front page shows certain records. */
async function writeHighlights(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(SAMPLE, folder, { recursive: true });
  const archive = JSON.parse(await readFile(join(SAMPLE, 'archive.json'), 'utf8'));
  const [event, person] = await Promise.all(['events', 'persons'].map(linesOf));
  const highlights = [event?.[5]?.uuid, `https://archive.test/nl/personen/${person?.[3]?.uuid}/`];
  await writeFile(join(folder, 'archive.json'), JSON.stringify({ ...archive, highlights }));
  return folder;
}

describeSite(
  'the front page of an archive that names records',
  writeHighlights,
  ({ archive }) => {
    test('shows those, in its order, in both languages', async () => {
      const [events, persons] = await Promise.all(['events', 'persons'].map(linesOf));
      for (const [path, title] of [
        ['/en/', 'From the archive'],
        ['/nl/', 'Uit het archief'],
      ] as const) {
        const html = await (await archive().fetch(path)).text();
        expect(cardsUnder(html, title).map(({ uuid }) => uuid)).toEqual([
          events?.[5]?.uuid,
          persons?.[3]?.uuid,
        ]);
      }
    });
  },
  {},
);

describeSite(
  'the front page of an archive with an empty list of highlights',
  async () => {
    const folder = await temporaryFolder();
    await cp(SAMPLE, folder, { recursive: true });
    const archive = JSON.parse(await readFile(join(SAMPLE, 'archive.json'), 'utf8'));
    await writeFile(join(folder, 'archive.json'), JSON.stringify({ ...archive, highlights: [] }));
    return folder;
  },
  ({ archive }) => {
    test('shows none, and no heading for them', async () => {
      const html = await (await archive().fetch('/en/')).text();
      expect(html).toContain('<h1');
      expect(html).not.toContain('From the archive');
    });
  },
  {},
);

const PLACES = [
  ['Haven', '52.000', '4.000'],
  ['Kerk', '52.001', '4.000'],
  ['Ver weg', '53.000', '6.000'],
] as const;

/** The life of one person: four dated events and one without a date, with a companion for ten years. */
async function writeLife(): Promise<string> {
  const location = (at: number) => uuidOf('location', at);
  const [anna, bram] = [uuidOf('person', 1), uuidOf('person', 2)];
  const event = (id: number, date: string | null, at: number, persons: string[]) => ({
    ...{ id, uuid: uuidOf('event', id), name_nl: `Gebeurtenis ${id}` },
    ...{ date, location: location(at), persons },
  });
  return writeBundle(await temporaryFolder(), {
    person: [
      { id: 1, uuid: anna, title_nl: 'Anna', birth_date: '1600-01-01', death_date: '1660-01-01' },
      { id: 2, uuid: bram, title_nl: 'Bram' },
    ],
    location: PLACES.map(([name_nl, latitude, longitude], at) => ({
      ...{ id: at + 1, uuid: location(at + 1), name_nl, latitude, longitude },
    })),
    event: [
      event(1, '1610-05-01', 2, [anna]),
      event(2, '1620-05-01', 1, [anna, bram]),
      event(3, '1630-05-01', 1, [anna, bram]),
      event(4, '1640-05-01', 3, [anna]),
      event(5, null, 3, [anna, bram]),
      event(6, '0950-05-01', 3, [bram]),
    ],
  });
}

describeSite(
  'pages of a life',
  writeLife,
  ({ archive }) => {
    const read = async (path: string) => (await archive().fetch(path)).text();
    let anna: string;
    beforeAll(async () => {
      anna = await read(`/en/personen/${uuidOf('person', 1)}/`);
    });

    test('show a person in one band, of which all is also in words', () => {
      const band = sectionOf(anna, 'life');
      const svg = /<svg.*?<\/svg>/s.exec(anna)?.[0] ?? '';
      const dots = /class="dots" d="([^"]*)"/
        .exec(svg)?.[1]
        ?.match(/M\d+/g)
        ?.map((dot) => Number(dot.slice(1)));
      expect(dots).toHaveLength(4);
      expect(dots).toEqual(dots?.toSorted((a, b) => a - b));
      // Ten years are a sixth of the axis.
      const [first = 0, second = 0] = dots ?? [];
      expect((second - first) / (720 - 48)).toBeCloseTo(10 / 61, 2);
      expect(svg).toContain('>Bram</text>');
      expect(anna).toMatch(/<th scope="row">Bram<\/th><td>1620<\/td><td>1630<\/td>/);
      expect(anna).toContain('Not shown: 1 undated event.');
      expect(band).toContain('<svg');
    });

    test('number places in order, as on the map', () => {
      const numbered = Array.from(
        anna.matchAll(/data-number="(\d)"><a[^>]*>([^<]*)</g),
        ([, number, name]) => `${number} ${name}`,
      );
      expect(numbered).toEqual(['1 Kerk', '2 Haven', '3 Ver weg']);
    });

    test('lead from a location to who was there, and to places near', async () => {
      const html = await read(`/en/locaties/${uuidOf('location', 1)}/`);
      expect(sectionOf(html, 'persons')).toMatch(/Anna<.*2 events.*Bram<.*2 events/s);
      const near = Array.from(
        sectionOf(html, 'near').matchAll(/>([^<>]+)<\/a> <span class="fact">([^<]*)</g),
      );
      expect(near.map(([, name, distance]) => `${name}: ${distance}`)).toEqual([
        'Kerk: 111 m',
        expect.stringMatching(/^Ver weg: 17\d(\.\d)? km$/),
      ]);
    });

    test('show a map of a place without a town, of its events, and of a person with several', async () => {
      for (const path of [
        `locaties/${uuidOf('location', 1)}`,
        `gebeurtenissen/${uuidOf('event', 1)}`,
        `personen/${uuidOf('person', 1)}`,
      ])
        expect([path, (await read(`/en/${path}/`)).includes('class="map"')]).toEqual([path, true]);
    });

    test('show bars from the first event to the last, however far they are apart', async () => {
      const bars = barsIn(await read('/en/'));
      expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(5);
      expect(bars[0]?.q).toBe('kind:event date:0900..0999');
    });
  },
  {},
);
