// Says to screen readers what the renderer leaves unsaid: names of buttons and fields, and roles that their elements may
// have (WAI-ARIA 1.2). It draws anew when something opens, so this looks again after every change.

const LOOK_AFTER_MS = 100;

/** Of what a selector finds, what is to be changed. Nothing happens where it has been done. */
const REPAIRS = [
  // The chosen page of a list of links: `aria-selected` is for tabs and options.
  [
    '[aria-selected]:not([role="tab"], [role="option"])',
    (element) => {
      if (element.getAttribute('aria-selected') === 'true') element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
      element.removeAttribute('aria-selected');
    },
  ],
  // A button is no landmark.
  ['button[role="search"]', (button) => button.removeAttribute('role')],
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  ['button.scalar-code-copy', named('Copy')],
  ['button.client-libraries__select', named('Select from all clients')],
  // The last of the tabs, which opens the list of all languages.
  [
    '[role="tablist"].client-libraries-list button:not([role])',
    (button) => button.setAttribute('role', 'tab'),
  ],
  // A name must hold the words that are seen, for those who speak to their browser.
  [
    'button.show-more[aria-label]',
    (button) => {
      const seen = button.textContent.trim();
      const name = button.getAttribute('aria-label');
      if (!name.includes(seen)) button.setAttribute('aria-label', `${seen}: ${name}`);
    },
  ],
  ['input[role="combobox"]:not([aria-expanded])', (input) => input.setAttribute('aria-expanded', 'true')],
  // An alert is no option: a list that holds one is no listbox until something is found.
  ['[role="listbox"]:has([role="alert"])', (list) => list.setAttribute('role', 'group')],
  [
    '[role="group"][id$="-search-result"]:not(:has([role="alert"]))',
    (list) => list.setAttribute('role', 'listbox'),
  ],
  // On a narrow screen they scroll, and hold nothing that could be focused.
  ['ul[aria-label$=" endpoints"]', (list) => list.setAttribute('tabindex', '0')],
  // What it opens is not there yet.
  [
    'button[aria-controls]',
    (button) => {
      if (document.getElementById(button.getAttribute('aria-controls')) === null) {
        button.removeAttribute('aria-controls');
      }
    },
  ],
  // An answer that is longer than its box, for whoever scrolls by the keyboard.
  [
    '.cm-scroller:has(> .cm-content[contenteditable="false"])',
    (box) => {
      box.tabIndex = 0;
      box.role = 'region';
      name(box, 'Answer');
    },
  ],
  // Fields of the form in which a request is tried.
  ['tr input[type="checkbox"]', (box) => rename(box, `Send ${rowName(box)}`)],
  // A dustbin without words, which is seen where its row has the focus.
  [
    'tr button.scalar-button',
    (button) => {
      if (button.textContent.trim() === '') rename(button, `Remove ${rowName(button)}`);
    },
  ],
  // The body stands in a row too. On a narrow screen it scrolls, which by the keyboard needs a focus that is told of.
  [
    '.cm-content[role="textbox"][data-language]',
    (body) => {
      rename(body, 'Body');
      body.title = 'Tab indents. Escape, then Tab leaves the body.';
      body.tabIndex = 0;
    },
  ],
  [
    'tr .cm-content[role="textbox"]:not([data-language])',
    (field) => rename(field, `${columnName(field)} of ${rowName(field)}`),
  ],
  [
    '.cm-content[role="textbox"]',
    (field) => name(field, field.closest('section') === null ? 'Address' : 'Body'),
  ],
];

function rowName(element) {
  return element.closest('tr').id || 'a new row';
}

function columnName(field) {
  return field.closest('tr').querySelector('.cm-content') === field ? 'Name' : 'Value';
}

function named(words) {
  return (element) => name(element, words);
}

function name(element, words) {
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', words);
}

/** For what is drawn before it is known what it stands for. */
function rename(element, words) {
  if (element.getAttribute('aria-label') !== words) element.setAttribute('aria-label', words);
}

let isDue = false;

function look() {
  isDue = false;
  for (const [selector, repair] of REPAIRS)
    for (const element of document.querySelectorAll(selector)) repair(element);
}

new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  setTimeout(look, LOOK_AFTER_MS);
}).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['aria-selected', 'aria-label', 'role'],
});
