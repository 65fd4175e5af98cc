/** Adds a style sheet before those of the page, which take precedence; settled when it is loaded. */
export function addStyles(address: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'stylesheet', href: address, onload: resolve, onerror: reject });
    document.head.prepend(link);
  });
}
