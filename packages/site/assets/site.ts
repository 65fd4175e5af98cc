// The script of pages, which work without it: pictures that cannot be loaded, suggestions, maps, and copies.
import { suggestNames } from './suggest.ts';

/** The distance to the view at which a map is loaded. */
const AHEAD = '200px';

/** Replaces an image that cannot be loaded by a message; its caption stays, and so does its link. */
function watchImage(image: HTMLImageElement): void {
  const replace = () => {
    const message = document.createElement('span');
    message.className = 'missing';
    message.textContent = image.closest('figure')?.dataset['missing'] ?? '';
    image.replaceWith(message);
  };
  // The script is deferred, so that the image may have failed already.
  if (image.complete && image.naturalWidth === 0) replace();
  else image.addEventListener('error', replace);
}

/** Loads and draws a map when it is nearly in view. Without it, the places are a list on the page. */
function drawWhenSeen(element: HTMLElement): void {
  const draw = async () => {
    const { drawMap }: typeof import('./map.ts') = await import(
      new URL(element.dataset['script'] ?? '', location.href).href
    );
    await drawMap(element);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      draw().catch(() => {
        element.hidden = true;
      });
    },
    { rootMargin: AHEAD },
  );
  observer.observe(element);
}

/** Shows a button that copies the text before it. Browsers have no clipboard on pages without TLS. */
function offerCopy(button: HTMLButtonElement): void {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? '');
    button.textContent = button.dataset['copied'] ?? '';
  });
}

document.querySelectorAll<HTMLImageElement>('.picture img').forEach(watchImage);
document.querySelectorAll<HTMLButtonElement>('.copy').forEach(offerCopy);
document.querySelectorAll<HTMLFormElement>('form.search').forEach(suggestNames);
document.querySelectorAll<HTMLElement>('.map').forEach(drawWhenSeen);
