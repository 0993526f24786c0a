// The dialog of the search: a combobox with a list of results (WAI-ARIA APG). The first result is always selected.
import { entriesOf } from '../search-index.ts';
import { searchOf, tokensOf } from '../search-ranking.ts';

const KINDS = {
  guide: 'Guide',
  value: 'Guide',
  operation: 'Operation',
  chapter: 'Reference',
  event: 'Event',
};
/** Suggestions while the query is empty. */
const OFFERED = [
  ['Quick start', '/docs/guides/quick-start'],
  ['Test cards', '/docs/guides/testing#test-cards'],
  ['Refused payments', '/docs/guides/errors#refused-payments'],
  ['States of a payment', '/docs/guides/payment-states'],
  ['API reference', '/docs/reference'],
];
const WORDS = /([\p{L}\p{N}]+)/gu;
const NOTHING = new Set();
const SNIPPET = { length: 130, before: 40 };

const dialog = document.createElement('dialog');
dialog.className = 'search-panel';
dialog.setAttribute('aria-label', 'Search the docs');
dialog.innerHTML = `<div class="search-field">
<input type="text" role="combobox" aria-label="Search the docs" aria-autocomplete="list" aria-expanded="false"
  aria-controls="search-results" placeholder="Search guides, operations, codes, test cards" autocomplete="off"
  autocapitalize="none" spellcheck="false" enterkeyhint="go">
<button type="button" class="search-close">Close</button></div>
<ul role="listbox" id="search-results" aria-label="Results"></ul>
<p class="search-note" role="status"></p>`;
document.body.append(dialog);

const [field, closing, list, note] = ['input', 'button', 'ul', 'p'].map((name) => dialog.querySelector(name));
let search;
let isLoading = false;
let results = [];
let chosen = 0;

/**
 * Opens the dialog, with the text that was typed while it was loading. The index is loaded once. If that fails, the
 * dialog shows a sentence, and typing retries.
 */
export function open(typed = '') {
  if (!dialog.open) dialog.showModal();
  field.select();
  if (typed !== '') field.value = typed;
  show();
  load();
}

async function load() {
  if (search !== undefined || isLoading) return;
  isLoading = true;
  try {
    const answer = await fetch('/docs/search.json');
    if (!answer.ok) throw new Error(`The request of the index was answered with ${answer.status}.`);
    search = searchOf(entriesOf(await answer.json()));
    show();
  } catch {
    note.classList.remove('only-heard');
    note.textContent = 'The search could not be loaded. Type again to retry.';
  }
  isLoading = false;
}

function show() {
  const query = field.value.trim();
  if (query === '') results = OFFERED.map(([title, href]) => ({ title, href, where: '', text: '' }));
  else if (search === undefined) return;
  else results = search(query);
  list.replaceChildren(...results.map(option));
  list.hidden = results.length === 0;
  field.setAttribute('aria-expanded', String(results.length > 0));
  note.textContent = sentence(query);
  note.classList.toggle('only-heard', results.length > 0);
  choose(0);
}

function sentence(query) {
  if (query === '') return 'Type to search.';
  if (results.length === 0)
    return `Nothing found for “${query}”. Try another word, in English or Portuguese.`;
  return results.length === 1 ? '1 result' : `${results.length} results`;
}

function option({ kind, title, where, text, matches }, i) {
  const item = document.createElement('li');
  item.id = `search-result-${i}`;
  item.role = 'option';
  const head = element('div', 'search-head');
  const name = element('span', 'search-title');
  name.append(...marked(title, matches));
  head.append(name);
  if (kind !== undefined) head.append(element('span', 'search-kind', KINDS[kind]));
  item.append(head);
  if (where !== '') item.append(element('div', 'search-where', where));
  if (text !== '') {
    const line = element('div', 'search-text');
    line.append(...marked(snippet(text, matches), matches));
    item.append(line);
  }
  item.addEventListener('click', (event) => go(i, event.ctrlKey || event.metaKey));
  item.addEventListener('auxclick', (event) => {
    if (event.button === 1) go(i, true);
  });
  item.addEventListener('pointermove', () => choose(i));
  return item;
}

function element(name, className, text = '') {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** The part of a text around the first match, cut between words. */
function snippet(text, matches) {
  const found = [...text.matchAll(WORDS)].find(([word]) => isFound(word, matches));
  const start = Math.max(0, (found?.index ?? 0) - SNIPPET.before);
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1;
  if (from + SNIPPET.length >= text.length) return `${from === 0 ? '' : '… '}${text.slice(from)}`;
  const to = text.lastIndexOf(' ', from + SNIPPET.length);
  return `${from === 0 ? '' : '… '}${text.slice(from, to)} …`;
}

/** The text as nodes with highlighted matches. */
function marked(text, matches) {
  return text.split(WORDS).map((part) => (isFound(part, matches) ? element('mark', '', part) : part));
}

function isFound(part, matches = NOTHING) {
  return tokensOf(part).some((token) => matches.has(token));
}

function choose(i) {
  chosen = i;
  for (const [n, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(n === i));
  const item = list.children[i];
  if (item === undefined) return field.removeAttribute('aria-activedescendant');
  field.setAttribute('aria-activedescendant', item.id);
  item.scrollIntoView({ block: 'nearest' });
}

function go(i, inNewTab) {
  const { href } = results[i];
  if (inNewTab) return window.open(href, '_blank', 'noopener');
  dialog.close();
  location.assign(href);
}

field.addEventListener('input', () => {
  load();
  show();
});
field.addEventListener('keydown', (event) => {
  if (event.isComposing || results.length === 0) return;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) choose((chosen + steps[event.key] + results.length) % results.length);
  else if (event.key === 'Enter' && (field.value.trim() !== '' || chosen > 0))
    go(chosen, event.ctrlKey || event.metaKey);
  else return;
  event.preventDefault();
});
closing.addEventListener('click', () => dialog.close());
// A click outside the dialog's content is a click on the dialog itself.
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog) dialog.close();
});
