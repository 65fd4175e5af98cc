import { type Html, html } from './html.ts';

/** What a page is made of. */
export interface PageParts {
  title: string;
  language: string;
  /** How the page leads to the files under /docs, such as `docs/`. */
  assets: string;
  body: Html;
  /** Names of scripts among the assets. */
  scripts?: readonly string[];
}

/** A whole page. Its links are relative, so that it works under any prefix. */
export function layout({ title, language, assets, body, scripts = [] }: PageParts): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${assets}docs.css">
<link rel="icon" href="${assets}icon.svg" type="image/svg+xml">
${scripts.map((script) => html`<script src="${assets}${script}" defer></script>`)}
</head>
<body>
${body}
</body>
</html>
`.text;
}
