// Elements for pages of others: search in an archive, and a record of it. A text of the archive becomes a text node, never HTML.
import { type Client, createClient, StatusError } from '@archiefkast/client';
import { KIND_NAMES, KINDS, type Kind, type Language, PAGE_SEGMENTS } from '@archiefkast/types/kinds';
import { suggestNames } from './suggest.ts';

const WORDS = {
  en: {
    label: 'Search the archive',
    go: 'Search',
    wait: 'Searching …',
    count: (count: number) => (count === 1 ? '1 result' : `${count.toLocaleString('en')} results`),
    all: 'All results',
    none: 'The archive has no such record.',
    note: 'Content note',
    failed: 'The archive cannot be reached.',
    invalid: 'The archive cannot read this query. Try other words.',
  },
  nl: {
    label: 'Zoek in het archief',
    go: 'Zoek',
    wait: 'Bezig met zoeken …',
    count: (count: number) => (count === 1 ? '1 resultaat' : `${count.toLocaleString('nl')} resultaten`),
    all: 'Alle resultaten',
    none: 'Het archief heeft dit record niet.',
    note: 'Vooraf',
    failed: 'Het archief is niet bereikbaar.',
    invalid: 'Het archief kan deze zoekvraag niet lezen. Probeer andere woorden.',
  },
};

/** The base URL of the archive from which this script comes. */
const OWN_BASE = new URL('..', import.meta.url).href;

/** Retries of a request, while a reader waits. */
const RETRIES = 1;

const styles = new CSSStyleSheet();
styles.replaceSync(`
  :host { display: block; color: var(--archive-ink, inherit); font: var(--archive-font, inherit); overflow-wrap: anywhere }
  [hidden] { display: none !important }
  a { color: var(--archive-accent, LinkText); unicode-bidi: isolate }
  form { position: relative; display: flex; flex-wrap: wrap; gap: 0.5em }
  label { flex: 1 0 100% }
  input, button { min-height: 2.25em; padding: 0.3em 0.6em; color: inherit; font: inherit; background: var(--archive-paper, Canvas);
    border: 1px solid var(--archive-line, GrayText); border-radius: var(--archive-radius, 0.3em); box-sizing: border-box }
  input { flex: 1 1 9em; min-width: 0 }
  button { color: var(--archive-paper, Canvas); background: var(--archive-accent, LinkText); border-color: transparent; cursor: pointer }
  :focus-visible { outline: 3px solid var(--archive-accent, LinkText); outline-offset: 2px }
  ul, ol { margin: 0; padding: 0; list-style: none }
  .suggestions { position: absolute; inset: 100% 0 auto; z-index: 5; background: var(--archive-paper, Canvas);
    border: 1px solid var(--archive-line, GrayText) }
  .suggestions li { padding: 0.45em 0.9em; cursor: pointer }
  .suggestions :is([aria-selected='true'], li:hover) { text-decoration: underline }
  article, li { padding-block: 0.5em }
  ol li { border-top: 1px solid var(--archive-line, GrayText) }
  p { margin: 0.2em 0; unicode-bidi: plaintext }
  .name { font-size: 1.15em; font-weight: 600 }
  figure { float: inline-end; width: 34%; max-width: 10em; margin: 0; margin-inline-start: 1em; font-size: 0.75em }
  img { width: 100%; height: auto }
  article::after { content: ''; display: block; clear: both }
`);

/** A new element with properties and children. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

type Texts<Name extends string> = Partial<Record<Name, string | null>>;

/** What is shown of a record: each kind has some of its fields. */
interface Shown
  extends Texts<'uuid' | 'title' | 'name' | 'summary' | 'city'>,
    Texts<'birth_date' | 'death_date' | 'date' | 'date_start' | 'date_end'> {
  image?: Picture | null;
  main_image?: Picture | null;
}

type Picture = Texts<'path' | 'alt' | 'author' | 'copyright' | 'title' | 'description' | 'filetype'>;

const yearOf = (date: string | null | undefined) => date?.slice(0, 4);

/** Its kind, years and town. */
function factsOf(kind: Kind, { city, ...dates }: Shown, language: Language): string {
  const [start, end] =
    kind === 'person'
      ? [dates.birth_date, dates.death_date]
      : [dates.date ?? dates.date_start, dates.date ? undefined : dates.date_end];
  const years = [...new Set([yearOf(start), yearOf(end)])].filter(Boolean).join('–');
  return [KIND_NAMES[language][kind].one, years, city].filter(Boolean).join(' · ');
}

/** An element that is drawn when it is on a page, and again when one of its attributes changes. */
abstract class ArchiveElement extends HTMLElement {
  static readonly observedAttributes = ['base', 'lang', 'query', 'uuid'];
  #drawn = new AbortController();
  protected readonly root = this.attachShadow({ mode: 'open' });

  connectedCallback(): void {
    this.root.adoptedStyleSheets = [styles];
    this.#drawn.abort();
    this.#drawn = new AbortController();
    this.draw(this.#drawn.signal);
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.connectedCallback();
  }

  disconnectedCallback(): void {
    this.#drawn.abort();
  }

  /** @param signal aborted when what is drawn is no longer shown */
  protected abstract draw(signal: AbortSignal): void;

  protected get base(): string {
    return (this.getAttribute('base') || OWN_BASE).replace(/\/+$/, '');
  }

  /** That of the element, or else of the page. */
  protected get language(): Language {
    return (this.lang || document.documentElement.lang).startsWith('nl') ? 'nl' : 'en';
  }

  /** The first records that a query finds, and the number of all. */
  protected async find(query: string, signal: AbortSignal) {
    const { base: baseUrl, language } = this;
    const client: Client = createClient({ baseUrl, language, retries: RETRIES });
    const hits = client
      .search(query)
      .select(
        'uuid',
        'title',
        'name',
        'summary',
        'city',
        'image',
        'main_image',
        'date',
        'date_start',
        'date_end',
        'birth_date',
        'death_date',
      );
    return await hits.readPage(hits.url, { signal });
  }

  protected linkTo(kind: Kind, { uuid, title, name }: Shown): HTMLAnchorElement {
    const href = `${this.base}/${this.language}/${PAGE_SEGMENTS[kind]}/${encodeURIComponent(uuid ?? '')}/`;
    return element('a', { href }, title || name || `${uuid}`);
  }
}

/** `<archive-search base lang query>`: a search field with suggestions, and the first results below it. */
class ArchiveSearch extends ArchiveElement {
  protected draw(signal: AbortSignal): void {
    const { base, language } = this;
    const words = WORDS[language];
    const value = this.getAttribute('query') ?? '';
    const input = element('input', { id: 'q', name: 'q', type: 'search', autocomplete: 'off', value });
    const form = element(
      'form',
      { action: `${base}/${language}/zoeken/`, role: 'search', ariaLabel: words.label },
      element('label', { htmlFor: 'q' }, words.label),
      input,
      element('button', { type: 'submit' }, words.go),
    );
    Object.assign(form.dataset, { suggest: `${base}/${language}/api/suggest`, root: `${base}/${language}` });
    for (const kind of KINDS) form.dataset[kind] = `${PAGE_SEGMENTS[kind]} ${KIND_NAMES[language][kind].one}`;
    const status = element('p', { role: 'status' });
    const results = element('div');
    const search = async (query: string, asked: AbortSignal) => {
      status.textContent = words.wait;
      const { count, results: hits } = await this.find(query, asked);
      status.textContent = words.count(count);
      const items = hits.map(({ type, instance }) => this.item(type, instance));
      const all = element('a', { href: `${form.action}?${new URLSearchParams({ q: query })}` }, words.all);
      results.replaceChildren(element('ol', {}, ...items), ...(count > hits.length ? [all] : []));
    };
    let running = new AbortController();
    const run = () => {
      running.abort();
      running = new AbortController();
      const asked = AbortSignal.any([signal, running.signal]);
      results.replaceChildren();
      search(input.value, asked).catch((error: unknown) => {
        const isInvalid = error instanceof StatusError && error.status === 400;
        if (!asked.aborted) status.textContent = isInvalid ? words.invalid : words.failed;
      });
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      run();
    });
    this.root.replaceChildren(form, status, results);
    suggestNames(form);
    if (value) run();
  }

  private item(kind: Kind, record: Shown): HTMLLIElement {
    const item = element('li', {}, this.linkTo(kind, record), ' ', factsOf(kind, record, this.language));
    if (record.summary) item.append(element('p', {}, record.summary));
    return item;
  }
}

/** The linked data of a record: its content notes, in each language. */
interface Noted {
  'skos:note'?: readonly { '@language': string; '@value': string }[];
}

/** `<archive-record base lang uuid>`: a record with its content notes, and with its picture if the archive itself has that. */
class ArchiveRecord extends ArchiveElement {
  protected draw(signal: AbortSignal): void {
    const words = WORDS[this.language];
    const show = (...shown: readonly (Node | string)[]) => {
      if (!signal.aborted) this.root.replaceChildren(...shown);
    };
    const read = async () => {
      const uuid = this.getAttribute('uuid') ?? '';
      const { results } = await this.find(`uuid:"${uuid}"`, signal);
      const hit = results.find(({ instance }) => instance.uuid === uuid.toLowerCase());
      if (!hit) return show(element('p', {}, words.none));
      const notes = await this.notes(hit.instance, signal);
      show(this.article(hit.type, hit.instance, notes));
    };
    read().catch(() => show(element('p', {}, words.failed)));
  }

  /** The content notes of the archive and of the subjects of a record. @throws Error if they cannot be read: a record is not shown without them */
  private async notes({ uuid }: Shown, signal: AbortSignal): Promise<HTMLElement[]> {
    const response = await fetch(`${this.base}/id/${uuid}.jsonld`, { signal });
    if (!response.ok) throw new Error(response.statusText);
    const { 'skos:note': notes = [] }: Noted = await response.json();
    const own = notes.filter((note) => note['@language'] === this.language);
    const name = `${WORDS[this.language].note}:`;
    return own.map((note) =>
      element('p', { role: 'note' }, element('strong', {}, name), ` ${note['@value']}`),
    );
  }

  private article(kind: Kind, record: Shown, notes: readonly HTMLElement[]): HTMLElement {
    const link = this.linkTo(kind, record);
    return element(
      'article',
      { ariaLabel: link.textContent },
      ...this.picture(record.image ?? record.main_image ?? undefined, link.textContent ?? ''),
      element('p', { className: 'name' }, link),
      element('p', {}, factsOf(kind, record, this.language)),
      ...notes,
      ...(record.summary ? [element('p', {}, record.summary)] : []),
    );
  }

  private picture(file: Picture | undefined, name: string): HTMLElement[] {
    const { path, filetype, alt: line, author, copyright, title, description } = file ?? {};
    if (filetype !== 'image' || !path?.startsWith(`${this.base}/`)) return [];
    const credit = [...new Set([line, author, copyright])].filter(Boolean).join(' · ');
    const image = element('img', { src: path, alt: description || title || name });
    return [element('figure', {}, image, element('figcaption', {}, credit))];
  }
}

for (const [name, type] of [
  ['archive-search', ArchiveSearch],
  ['archive-record', ArchiveRecord],
] as const)
  if (!customElements.get(name)) customElements.define(name, type);
