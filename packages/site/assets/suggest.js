// Suggestions while typing in the search field (WAI-ARIA combobox with a list).
const SEGMENTS = {
  person: 'personen',
  subject: 'onderwerpen',
  location: 'locaties',
  event: 'gebeurtenissen',
};
const WAIT = 120;

for (const form of document.querySelectorAll('form[data-suggest]')) {
  const input = form.querySelector('input[type="search"]');
  const list = document.createElement('ul');
  list.className = 'suggestions';
  list.id = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', form.querySelector('label').textContent);
  list.hidden = true;
  form.append(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');
  // A page that names its edition links to pages of the same edition.
  const edition = form.elements.namedItem('edition')?.value;
  const kinds = JSON.parse(form.dataset.kinds);
  let timer;
  let asked = '';

  const options = () => [...list.children];
  const chosen = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true');
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (index) => {
    for (const [at, option] of options().entries())
      option.setAttribute('aria-selected', String(at === index));
    const option = options()[index];
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const follow = (option) => {
    const { kind, uuid, value } = option.dataset;
    if (uuid) {
      location.href = `${form.dataset.root}/${SEGMENTS[kind]}/${uuid}/${edition ? `?edition=${edition}` : ''}`;
    } else {
      input.value = value;
      form.submit();
    }
  };
  const show = (values) => {
    // The selected option stays selected if it is among the new ones.
    const kept = options()[chosen()]?.dataset;
    list.replaceChildren(
      ...values.map(({ value, count, kind, uuid }, index) => {
        const option = document.createElement('li');
        option.id = `suggestion-${index}`;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        Object.assign(option.dataset, { value, ...(uuid && { kind, uuid }) });
        const name = document.createElement('span');
        name.textContent = value;
        const fact = document.createElement('span');
        fact.className = 'fact';
        fact.textContent = [kinds[kind], count > 1 && count].filter(Boolean).join(' · ');
        option.append(name, ' ', fact);
        option.addEventListener('mousedown', (event) => event.preventDefault());
        option.addEventListener('click', () => follow(option));
        return option;
      }),
    );
    list.hidden = values.length === 0;
    input.setAttribute('aria-expanded', String(values.length > 0));
    choose(
      options().findIndex(({ dataset }) => dataset.uuid === kept?.uuid && dataset.value === kept?.value),
    );
  };
  const ask = async () => {
    const typed = input.value.trim();
    asked = typed;
    if (typed.length < 2 || typed.includes(':')) return close();
    const query = new URLSearchParams({ ...(edition && { edition }), prefix: typed });
    const response = await fetch(`${form.dataset.suggest}?${query}`);
    if (!response.ok) return close();
    const { values } = await response.json();
    if (asked === typed && document.activeElement === input) show(values);
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask().catch(close), WAIT);
  });
  input.addEventListener('keydown', (event) => {
    const last = options().length - 1;
    if (event.key === 'ArrowDown' && !list.hidden) choose(chosen() === last ? 0 : chosen() + 1);
    else if (event.key === 'ArrowUp' && !list.hidden) choose(chosen() <= 0 ? last : chosen() - 1);
    else if (event.key === 'Enter' && chosen() >= 0) follow(options()[chosen()]);
    else if (event.key === 'Escape' && !list.hidden) close();
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', close);
}
