import { type DatasetFacts, reuseSentence } from '@archiefkast/formats/dataset';
import { LINKED_CONTEXT, type LinkedNode } from '@archiefkast/formats/linked-data';
import { renderPage } from './layout.tsx';
import type { Page } from './page.ts';

const linkTo = (address: string | undefined) => address && <a href={address}>{address}</a>;
const mailTo = (email: string | undefined) => email && <a href={`mailto:${email}`}>{email}</a>;

/** The page of the archive as a dataset: whose it is, what it is about, and every form in which it can be had. */
export function datasetPage(
  page: Page,
  { archive, edition, distributions }: DatasetFacts,
  graph: LinkedNode,
): string {
  const { language, t } = page;
  const { organisation = {}, licence, email, coverage } = archive;
  const place = [organisation.street, organisation.zipcode, organisation.city, organisation.country];
  const facts = [
    [t.publisher, archive.publisher?.[language]],
    [t.address, place.filter(Boolean).join(', ')],
    ['ISIL', organisation.isil],
    [t.creator, archive.creator?.[language]],
    [t.contact, email && <a href={`mailto:${email}`}>{archive.contact?.[language] ?? email}</a>],
    [t.corrections, mailTo(archive.corrections)],
    [t.removal, mailTo(archive.removal)],
    [t.policy, linkTo(archive.policy?.[language])],
    [t.accessibility, linkTo(archive.accessibility?.[language])],
    [t.licence, linkTo(licence?.url)],
    [t.reuse, reuseSentence(archive.reuse)[language]],
    [t.created, archive.created],
    [t.edition, `${edition.id} (${edition.publishedAt.toISOString().slice(0, 10)})`],
    [t.size, `${page.number(edition.total)} records`],
    [t.area, linkTo(coverage?.place)],
    [t.period, coverage?.period],
  ] as const;
  // Services outside the API know the served edition only.
  const formAt = (path: string) => (path.includes('/api') ? page.link(path) : page.linkToFile(path));
  return renderPage(page, {
    title: page.titled(t.data),
    description: archive.description?.[language] ?? page.name,
    translation: `${page.otherLanguage}/dataset/`,
    data: { '@context': LINKED_CONTEXT, ...graph },
    children: (
      <main id="main" class="wide">
        <h1>{t.data}</h1>
        <p class="lead">{archive.description?.[language] ?? page.name}</p>
        <dl class="facts">
          {facts.map(
            ([name, value]) =>
              value && (
                <>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </>
              ),
          )}
        </dl>
        <h2>{t.forms}</h2>
        <ul>
          {distributions.map(({ path, words, encodingFormat }) => (
            <li>
              <a href={formAt(path)}>{words[language]}</a> <span class="fact">{encodingFormat}</span>
            </li>
          ))}
        </ul>
        <p>
          {t.described} <a href={page.link('dataset.ttl')}>Turtle</a>,{' '}
          <a href={page.link('dataset.jsonld')}>JSON-LD</a>, <a href={page.link('dataset.nt')}>N-Triples</a>.
        </p>
      </main>
    ),
  });
}
