// The script of pages, which work without it: suggestions, maps, copies of citations, and forms for requests.
import { addStyles } from './add-styles.ts';
import { suggestNames } from './suggest.ts';

/** The distance to the view at which a map is loaded. */
const AHEAD = '200px';

/** Imports the script that an element names. */
function importScript<Script>({ dataset }: HTMLElement): Promise<Script> {
  return import(new URL(dataset['script'] ?? '', location.href).href);
}

/** Loads and draws a map when it is nearly in view. Without it, the places are a list on the page. */
function drawWhenSeen(element: HTMLElement): void {
  const draw = async () => {
    const { drawMap } = await importScript<typeof import('./map.ts')>(element);
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

/** Loads the forms of the documentation when a reader asks for them, or when the address is that of one. */
function offerForms(element: HTMLElement): void {
  const load = async () => {
    const [{ showForms }] = await Promise.all([
      importScript<typeof import('./docs.ts')>(element),
      addStyles(element.dataset['styles'] ?? ''),
    ]);
    showForms(element);
  };
  const button = element.querySelector('button');
  if (button) button.hidden = false;
  button?.addEventListener('click', () => void load(), { once: true });
  if (location.hash.startsWith('#/')) void load();
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
document.querySelectorAll<HTMLElement>('#api').forEach(offerForms);
