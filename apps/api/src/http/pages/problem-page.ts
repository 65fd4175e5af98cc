import { LANGUAGES } from '@archive/types';
import { PROBLEMS, type ProblemName } from '../problems.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** The help page of a kind of problem, to which its `type` leads: in English and in Dutch. */
export function problemPage(name: ProblemName): string {
  const { status, title, help } = PROBLEMS[name];
  return layout({
    title: `${title.en} · Archive API`,
    language: 'en',
    assets: '../docs/',
    body: html`<main class="problem">
<p class="crumbs"><a href="../docs">Archive API</a> / problems / <code>${name}</code></p>
${LANGUAGES.map(
  (language) => html`<section lang="${language}">
<h1>${title[language]} <span class="status">${status}</span></h1>
<p>${help[language]}</p>
</section>
`,
)}</main>`,
  });
}
