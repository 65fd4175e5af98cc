// Scripts of the documentation: responses below their forms, and buttons to copy code. Without scripts the forms lead
// to the responses.
const MOST_READ = 2_000_000;
const MOST_SHOWN = 200_000;
const texts = document.getElementById('main').dataset;
document.documentElement.classList.add('scripts');

/** The address that a form requests. */
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
  const root = new URL(form.dataset.root, location.href);
  return new URL(path.slice(1) + (query.length > 0 ? `?${query.join('&')}` : ''), root).href;
}

function showAddress(form) {
  const save = form.dataset.file === 'yes' ? '-O ' : '';
  form.querySelector('.code code').textContent = `curl ${save}'${addressOf(form).replaceAll("'", '%27')}'`;
}

/** The start of a text, a little more than `most` characters at most. */
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

/** Shows the outcome of a request: its status in words, and by the class in colour. */
function showOutcome(form, words, kind = 0) {
  const outcome = form.querySelector('.outcome');
  outcome.hidden = false;
  outcome.className = kind > 0 ? `outcome s${kind}` : 'outcome';
  outcome.textContent = words;
}

async function tryIt(form) {
  const shown = form.querySelector('.body');
  shown.hidden = true;
  showOutcome(form, texts.asking);
  const started = performance.now();
  try {
    const response = await fetch(addressOf(form));
    const most = form.dataset.file === 'yes' ? MOST_SHOWN : MOST_READ;
    const { text, isWhole } = await readStart(response, most);
    const pretty = isWhole ? prettify(text) : text;
    const words = [
      `${response.status} ${response.statusText}`,
      response.headers.get('content-type'),
      `${Math.round(performance.now() - started)} ms`,
    ];
    showOutcome(form, words.filter(Boolean).join(' · '), Math.floor(response.status / 100));
    shown.value = pretty.slice(0, MOST_SHOWN);
    shown.hidden = false;
  } catch (error) {
    showOutcome(form, `${texts.noAnswer} ${error.message}`, 5);
  }
}

/** Opens the endpoint in the address's fragment. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  const details = named?.closest('details');
  if (details) details.open = true;
}

for (const form of document.querySelectorAll('form[data-path]')) {
  for (const input of form.querySelectorAll('[data-place="path"]')) input.readOnly = false;
  showAddress(form);
  form.addEventListener('input', () => showAddress(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tryIt(form);
  });
}
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  const words = button.textContent;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
    button.textContent = texts.copied;
    setTimeout(() => {
      button.textContent = words;
    }, 1500);
  });
}
addEventListener('hashchange', openNamed);
openNamed();
