import { pathTemplate } from '../openapi/parameter-objects.ts';
import { PROBLEMS } from '../problems.ts';
import { GROUPS, type Group, type Route } from '../routes/route.ts';
import { describeEndpoint } from './describe-endpoint.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { searchFields } from './search-fields.ts';

/**
 * The documentation for people: how the API works, and every endpoint with a form to try it.
 *
 * @param baseUrl root of the addresses in examples
 */
export function docsPage(routes: readonly Route[], baseUrl: string): string {
  const groups = Object.keys(GROUPS) as Group[];
  return layout({
    title: 'Archive API',
    language: 'en',
    assets: 'docs/',
    scripts: ['docs.js'],
    body: html`<a class="skip" href="#main">Skip to the endpoints</a>
<header>
<div class="wide">
<p class="brand">Archive API</p>
<h1 id="title">A historical archive as read-only JSON</h1>
<p id="about" class="lead">Persons, subjects, locations and events, in English and Dutch. No key, no limits to learn: ask, and follow the links.</p>
<p class="facts" id="facts"></p>
<pre class="hello" tabindex="0"><code>curl '${baseUrl}/en/api/search?q=city:leiden'</code></pre>
</div>
</header>
<div class="wide columns">
<nav aria-label="Contents">
<ul>
<li><a href="#basics">Basics</a></li>
${groups.map((group) => html`<li><a href="#${group.toLowerCase()}">${group}</a></li>\n`)}
<li><a href="#fields">Search fields</a></li>
<li><a href="#problems">Problems</a></li>
<li><a href="openapi.json">OpenAPI</a></li>
</ul>
</nav>
<main id="main">
${basics(baseUrl)}
${groups.map((group) => describeGroup(group, routes))}
${searchFields()}
${problemList()}
</main>
</div>
<footer><div class="wide">Made from the same table of endpoints and schemas that answers requests. For programs: <a href="openapi.json">OpenAPI 3.1</a>.</div></footer>`,
  });
}

function describeGroup(group: Group, routes: readonly Route[]): Html {
  return html`<section id="${group.toLowerCase()}" aria-labelledby="${group.toLowerCase()}-title">
<h2 id="${group.toLowerCase()}-title">${group}</h2>
<p>${GROUPS[group]}</p>
${routes
  .filter((route) => route.group === group)
  .map((route) => describeEndpoint(route, pathTemplate(route)))}</section>
`;
}

function basics(baseUrl: string): Html {
  return html`<section id="basics" aria-labelledby="basics-title">
<h2 id="basics-title">Basics</h2>
<dl class="basics">
<dt>Languages</dt>
<dd>Every path begins with <code>/en</code> or <code>/nl</code>. A field such as <code>name</code> holds the text in that language; <code>name_en</code> and <code>name_nl</code> hold both. Where the English text is missing, <code>name</code> is the Dutch one.</dd>
<dt>Pages</dt>
<dd>Lists and search come ten at a time. Follow <code>next</code> until it is <code>null</code>; <code>count</code> says how many there are in all.</dd>
<dt>Editions</dt>
<dd>The archive is published as a whole. The header <code>Archive-Edition</code> names the edition of an answer; add <code>edition=</code> with that number, and all pages of a walk come from it.</dd>
<dt>Caching</dt>
<dd>Answers carry an <code>ETag</code>. Send it back in <code>If-None-Match</code>: an answer that has not changed is a short 304.</dd>
<dt>Everything at once</dt>
<dd>Take the <a href="#bulk">dumps</a> instead of a walk, or let the harvester do it: <code>npx archive-cli harvest --base-url ${baseUrl} --out harvest</code></dd>
<dt>From a browser</dt>
<dd>Pages of any origin may ask (CORS), with GET and HEAD.</dd>
</dl>
</section>
`;
}

function problemList(): Html {
  return html`<section id="problems" aria-labelledby="problems-title">
<h2 id="problems-title">Problems</h2>
<p>What is no success is <code>application/problem+json</code> (RFC 9457). Its <code>type</code> leads to one of these pages.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="problems-title">
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Name</th><th scope="col">Title</th></tr></thead>
<tbody>
${Object.entries(PROBLEMS).map(
  ([name, { status, title }]) =>
    html`<tr><td>${status}</td><td><a href="problems/${name}"><code>${name}</code></a></td><td>${title.en}</td></tr>\n`,
)}</tbody>
</table>
</div>
</section>
`;
}
