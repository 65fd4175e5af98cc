import { identityOf } from '@archiefkast/formats/linked-data';
import { nameOf, type RecordView, wordingOf } from '@archiefkast/formats/record-view';
import type { Language } from '@archiefkast/types';
import { assetPath, themePath } from './assets.ts';
import { paragraph } from './cards.tsx';
import type { ProblemHelp } from './errors.tsx';
import { type Children, toHtml } from './jsx-runtime.ts';
import { contentNote } from './layout.tsx';
import type { Page } from './page.ts';
import { creditOf, describe, pictureSource, pictureWithin, sizeOf } from './picture.tsx';
import {
  contentOf,
  formatDate,
  formatPeriod,
  kindName,
  langOf,
  openingOf,
  pictureOf,
  postalAddress,
  recordPath,
} from './record.ts';

/** Width and height of the frame of a card in pixels, unless less is asked. */
const CARD = { width: 480, height: 320 };

/** Limit of the picture that stands for a record on pages of others, in pixels. */
const LARGEST_THUMBNAIL = 640;

/** How long others may keep the card of a record, in seconds. */
const CACHE_AGE = 3_600;

/** The path of the card of a record below the base URL. */
export function cardPath(language: Language, uuid: string): string {
  return `${language}/embed/${uuid}`;
}

/** The card of a record for a frame on pages of others, without scripts. Its link opens the page of the record outside the frame. */
export function cardPage(page: Page, record: RecordView, location?: RecordView): string {
  const { language, t, archive, naming } = page;
  const name = nameOf(record, language);
  const summary = wordingOf(record, 'summary', language);
  const content = contentOf(record, language);
  const licence = archive?.licence;
  return renderCard(page, page.titled(name.text), recordPath(language, record), [
    cardPicture(page, record, name.text),
    <p class="kind">{kindName(record, t)}</p>,
    <h1 dir="auto" {...langOf(name, page)}>
      {outward(identityOf(naming.identity, record.uuid), name.text)}
    </h1>,
    factsOf(page, record, location).map((fact) => (
      <p class="line" dir="auto">
        {fact}
      </p>
    )),
    (record.notes ?? []).map((note) => contentNote(page, note)),
    paragraph(page, 'summary', summary.text ? summary : { ...content, text: openingOf(content.text) }),
    <footer>
      {outward(`${page.canonical}/${language}/`, page.name)}
      {licence && [' · ', outward(licence.url, licence.name)]}
    </footer>,
  ]);
}

/** Why there is no card, for the same frame. */
export function noCardPage(page: Page, { status, title, ...help }: Omit<ProblemHelp, 'name'>): string {
  const { language, t } = page;
  const words = { 404: t.notFoundLead, 410: t.gone }[status] ?? help[language];
  return renderCard(page, title[language], undefined, [
    <h1>{title[language]}</h1>,
    <p>{words}</p>,
    <footer>{outward(`${page.canonical}/${language}/`, page.name)}</footer>,
  ]);
}

/** @param canonical the path of the page of the record */
function renderCard(page: Page, title: string, canonical: string | undefined, content: Children): string {
  const colours = page.archive?.colours;
  return `<!DOCTYPE html>${toHtml(
    <html lang={page.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href={page.linkToFile(assetPath('card.css'))} />
        {colours && <link rel="stylesheet" href={page.linkToFile(themePath(colours))} />}
        {canonical && !page.isPreview && <link rel="canonical" href={`${page.canonical}/${canonical}`} />}
      </head>
      <body>
        <main>
          {page.isPreview && <p class="content-note">{page.t.preview}</p>}
          {content}
        </main>
      </body>
    </html>,
  )}`;
}

/** A link that leaves the frame. */
function outward(address: string, words: string) {
  return (
    <a href={address} target="_blank" rel="noopener">
      {words}
    </a>
  );
}

function cardPicture(page: Page, record: RecordView, name: string) {
  const file = pictureOf(record);
  const credit = file && creditOf(file);
  return (
    file && (
      <figure>
        <img
          {...pictureSource(page, record, file, () => '9.5rem')}
          alt={describe(file, name)}
          {...sizeOf(record, file)}
          decoding="async"
        />
        {credit && <figcaption>{credit}</figcaption>}
      </figure>
    )
  );
}

/** When and where, as far as that is known. @param location that of an event */
function factsOf({ t, language }: Page, record: RecordView, location: RecordView | undefined): string[] {
  const listed = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(', ');
  const end = (word: string, date: string | null | undefined, ...place: readonly (string | undefined)[]) => {
    const known = listed(date ? formatDate(date, t) : '', ...place);
    return known && `${word}: ${known}`;
  };
  const facts = {
    person: [
      end(t.born, record.birth_date, record.birth_place, record.birth_country),
      end(t.died, record.death_date, record.death_place, record.death_country),
    ],
    subject: [],
    location: [postalAddress(record)],
    event: [formatPeriod(record, t), location && listed(nameOf(location, language).text, location.city)],
  }[record.kind];
  return facts.flatMap((fact) => fact || []);
}

/** The most that the page of others has room for, in pixels. */
export interface Room {
  width?: number | undefined;
  height?: number | undefined;
}

/** The HTML by which a page of others shows the card of a record: a frame in which nothing runs. */
export function cardSnippet(page: Page, record: RecordView, { width, height } = CARD): string {
  return toHtml(
    <iframe
      src={`${page.baseUrl}/${cardPath(page.language, record.uuid)}`}
      title={page.titled(nameOf(record, page.language).text)}
      width={width}
      height={height}
      loading="lazy"
      referrerpolicy="no-referrer"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    />,
  );
}

/** The path of the description of a record for pages of others (oEmbed 1.0), below the base URL. @param address that of its page */
export function oembedPath(address: string): string {
  return `oembed?url=${encodeURIComponent(address)}`;
}

/** What oEmbed 1.0 says of a record: the frame of its card, and a picture if one is known to fit. */
export function oembedOf(page: Page, record: RecordView, room: Room): object {
  const width = Math.min(CARD.width, room.width ?? CARD.width);
  const height = Math.min(CARD.height, room.height ?? CARD.height);
  const file = pictureOf(record);
  const most = { width: room.width ?? LARGEST_THUMBNAIL, height: room.height ?? LARGEST_THUMBNAIL };
  const thumbnail = file && pictureWithin(page, record, file, most);
  return {
    version: '1.0',
    type: 'rich',
    title: nameOf(record, page.language).text,
    provider_name: page.name,
    provider_url: `${page.canonical}/${page.language}/`,
    cache_age: CACHE_AGE,
    html: cardSnippet(page, record, { width, height }),
    ...{ width, height },
    ...(thumbnail && {
      thumbnail_url: thumbnail.address,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  };
}
