// The script of pages, which work without it: suggestions, maps, and copies of citations.
import { suggestNames } from './suggest.ts';

/** The distance to the view at which a map is loaded. */
const AHEAD = '200px';

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

document.querySelectorAll<HTMLButtonElement>('.copy').forEach(offerCopy);
document.querySelectorAll<HTMLFormElement>('form.search').forEach(suggestNames);
document.querySelectorAll<HTMLElement>('.map').forEach(drawWhenSeen);
