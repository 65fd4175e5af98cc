import type { Suggestions } from '@archiefkast/types';

/** The pause in typing after which suggestions are fetched, in milliseconds. */
const WAIT = 120;

/** The code of keys that an input method takes. */
const COMPOSED_KEY = 229;

/** Suggests names while typing in the field of a search form (WAI-ARIA combobox with a list). */
export function suggestNames(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type="search"]');
  if (!input) return;
  const list = Object.assign(document.createElement('ul'), {
    className: 'suggestions',
    id: 'suggestions',
    role: 'listbox',
    hidden: true,
  });
  list.ariaLabel = form.querySelector('label')?.textContent ?? null;
  form.append(list);
  Object.assign(input, { role: 'combobox', ariaAutoComplete: 'list', ariaExpanded: 'false' });
  input.setAttribute('aria-controls', list.id);
  // A page that names its edition links to pages of the same edition.
  const edition = form.querySelector<HTMLInputElement>('[name="edition"]')?.value;
  let timer = 0;
  let typed = '';

  const options = () => [...list.children].filter((option) => option instanceof HTMLElement);
  const chosen = () => options().findIndex((option) => option.ariaSelected === 'true');
  const choose = (index: number) => {
    for (const [at, option] of options().entries()) option.ariaSelected = String(at === index);
    const id = options()[index]?.id;
    if (id) input.setAttribute('aria-activedescendant', id);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = (values: Suggestions['values']) => {
    // The selected option stays selected if it is among the new ones.
    const kept = options()[chosen()]?.textContent;
    list.replaceChildren(...values.map((suggestion, index) => optionOf(suggestion, index)));
    list.hidden = values.length === 0;
    input.ariaExpanded = String(values.length > 0);
    choose(options().findIndex(({ textContent }) => textContent === kept));
  };
  const close = () => show([]);
  /** The segment of the pages of a kind, and its name. */
  const wordsOf = (kind = '') => form.dataset[kind]?.split(' ') ?? [];
  const optionOf = ({ value, count, kind, uuid }: Suggestions['values'][number], index: number) => {
    const [segment, kindName] = wordsOf(kind);
    const option = Object.assign(document.createElement('li'), { id: `suggestion-${index}`, role: 'option' });
    const textContent = [kindName, count > 1 && count].filter(Boolean).join(' · ');
    option.append(
      value,
      ' ',
      Object.assign(document.createElement('span'), { className: 'fact', textContent }),
    );
    option.addEventListener('mousedown', (event) => event.preventDefault());
    option.addEventListener('click', () => {
      if (uuid) {
        const query = edition ? `?edition=${edition}` : '';
        location.href = `${form.dataset['root']}/${segment}/${uuid}/${query}`;
      } else {
        input.value = value;
        form.requestSubmit();
      }
    });
    return option;
  };
  const fetchSuggestions = async () => {
    const prefix = input.value.trim();
    typed = prefix;
    if (prefix.length < 2 || prefix.includes(':')) return close();
    const query = new URLSearchParams({ ...(edition && { edition }), prefix });
    const response = await fetch(`${form.dataset['suggest']}?${query}`);
    if (!response.ok) return close();
    const { values }: Suggestions = await response.json();
    if (typed === prefix && input.matches(':focus')) show(values);
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void fetchSuggestions().catch(close), WAIT);
  });
  input.addEventListener('keydown', (event) => {
    // Keys of a composition belong to the input method; in Safari, the one that ends it has the code 229 alone.
    if (event.isComposing || event.keyCode === COMPOSED_KEY) return;
    const last = options().length - 1;
    if (event.key === 'ArrowDown' && !list.hidden) choose(chosen() === last ? 0 : chosen() + 1);
    else if (event.key === 'ArrowUp' && !list.hidden) choose(chosen() <= 0 ? last : chosen() - 1);
    else if (event.key === 'Enter' && chosen() >= 0) options()[chosen()]?.click();
    else if (event.key === 'Escape' && !list.hidden) close();
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', close);
  // A form need not leave the page.
  form.addEventListener('submit', () => {
    clearTimeout(timer);
    typed = '';
    close();
  });
}
