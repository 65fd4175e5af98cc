/** The start of the text: the title, which is a heading of the first level. */
const TITLE = /^\s*# +(.+?)(?: +#+)?[ \t]*(?:\r?\n|$)/;

/** A picture: what is before its address, and the address. */
const IMAGE = /(!\[[^\]]*\]\()([^\s)]+)/g;

/** The title of a page in Markdown, which is the heading that it begins with, the text below it, and the addresses of its pictures. */
export function readPage(markdown: string): { title: string | undefined; text: string; images: string[] } {
  const [start = '', title] = TITLE.exec(markdown) ?? [];
  const text = markdown.slice(start.length);
  return { title, text, images: Array.from(text.matchAll(IMAGE), ([, , image = '']) => image) };
}

/** Markdown with other addresses of its pictures. */
export function withImages(markdown: string, address: (image: string) => string): string {
  return markdown.replace(IMAGE, (_, before: string, image: string) => before + address(image));
}
