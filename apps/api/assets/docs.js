// The page is at <root>/docs, or at <root>/ itself.
const root = new URL('.', location.href);
const MOST_READ = 2_000_000;
const MOST_SHOWN = 200_000;
const COLLECTIONS = { person: 'persons', subject: 'subjects', location: 'locations', event: 'events' };

/** The address that a form asks for. */
function addressOf(form) {
  const values = new Map(new FormData(form));
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(values.get(name));
    values.delete(name);
    return value;
  });
  const query = [...values]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%3A', ':')}`);
  return new URL(path.slice(1) + (query.length > 0 ? `?${query.join('&')}` : ''), root).href;
}

function showAddress(form) {
  const address = addressOf(form);
  const save = form.dataset.file === 'yes' ? '-O ' : '';
  form.querySelector('.curl code').textContent = `curl ${save}'${address.replaceAll("'", '%27')}'`;
  form.querySelector('.open').href = address;
}

/** The beginning of a text, `most` characters and a few more, however long it is. */
async function readStart(response, most) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text, isWhole: true };
    text += value;
    if (text.length > most) {
      await reader.cancel();
      return { text, isWhole: false };
    }
  }
}

function prettify(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function tryIt(form) {
  const output = form.querySelector('output');
  const outcome = output.querySelector('.outcome');
  const shown = output.querySelector('pre');
  output.hidden = false;
  outcome.textContent = 'Asking…';
  shown.textContent = '';
  const started = performance.now();
  try {
    const response = await fetch(addressOf(form));
    const most = form.dataset.file === 'yes' ? MOST_SHOWN : MOST_READ;
    const { text, isWhole } = await readStart(response, most);
    const pretty = isWhole ? prettify(text) : text;
    const edition = response.headers.get('archive-edition');
    outcome.textContent = [
      `${response.status} ${response.statusText}`,
      response.headers.get('content-type'),
      edition && `edition ${edition}`,
      `${Math.round(performance.now() - started)} ms`,
      pretty.length > MOST_SHOWN && 'its beginning:',
    ]
      .filter(Boolean)
      .join(' · ');
    shown.textContent = pretty.slice(0, MOST_SHOWN);
  } catch (error) {
    outcome.textContent = `No answer: ${error.message}`;
  }
}

/** Fills in the uuid of the first record of the kind. */
async function fillUuid(form) {
  const input = form.elements.namedItem('uuid');
  if (input?.value !== '') return;
  const response = await fetch(new URL(`en/api/${COLLECTIONS[form.dataset.kind]}`, root));
  if (!response.ok) return;
  const { results } = await response.json();
  input.value = results[0]?.uuid ?? '';
  showAddress(form);
}

async function showArchive() {
  const response = await fetch(new URL('en/api/', root));
  if (!response.ok) return;
  const { title, description, counts, edition } = await response.json();
  if (title) document.getElementById('title').textContent = title;
  if (description) document.getElementById('about').textContent = description;
  const numbers = Object.entries(counts).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  const day = edition.published_at.slice(0, 10);
  document.getElementById('facts').textContent = `${numbers.join(' · ')} · edition ${edition.id} of ${day}`;
}

/** Opens the endpoint that the address of the page names. */
function openNamed() {
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
}

for (const form of document.forms) {
  showAddress(form);
  form.addEventListener('input', () => showAddress(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tryIt(form);
  });
  form.closest('details').addEventListener('toggle', () => void fillUuid(form));
  form.querySelector('.copy').addEventListener('click', async ({ target }) => {
    await navigator.clipboard.writeText(form.querySelector('.curl code').textContent);
    target.textContent = 'Copied';
    setTimeout(() => {
      target.textContent = 'Copy';
    }, 1500);
  });
}
addEventListener('hashchange', openNamed);
openNamed();
void showArchive();
