// Adds what the renderer omits for screen readers: names of buttons and fields, and valid roles (WAI-ARIA 1.2). The
// renderer redraws when something opens, so this runs after every change.

const LOOK_AFTER_MS = 100;

/** Selectors with the change of their elements. A change that was already made has no effect. */
const REPAIRS = [
  // The current page in a list of links: `aria-selected` is for tabs and options.
  [
    '[aria-selected]:not([role="tab"], [role="option"])',
    (element) => {
      if (element.getAttribute('aria-selected') === 'true') element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
      element.removeAttribute('aria-selected');
    },
  ],
  // A button is not a landmark.
  ['button[role="search"]', (button) => button.removeAttribute('role')],
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  ['button.scalar-code-copy', named('Copy')],
  ['button.client-libraries__select', named('Select from all clients')],
  // The last tab opens the list of all languages.
  [
    '[role="tablist"].client-libraries-list button:not([role])',
    (button) => button.setAttribute('role', 'tab'),
  ],
  // A name must contain the visible words, for voice control.
  [
    'button.show-more[aria-label]',
    (button) => {
      const seen = button.textContent.trim();
      const name = button.getAttribute('aria-label');
      if (!name.includes(seen)) button.setAttribute('aria-label', `${seen}: ${name}`);
    },
  ],
  ['input[role="combobox"]:not([aria-expanded])', (input) => input.setAttribute('aria-expanded', 'true')],
  // An alert is not an option, so a list with an alert is not a listbox.
  ['[role="listbox"]:has([role="alert"])', (list) => list.setAttribute('role', 'group')],
  [
    '[role="group"][id$="-search-result"]:not(:has([role="alert"]))',
    (list) => list.setAttribute('role', 'listbox'),
  ],
  // On a narrow screen they scroll, and have no element that can take the focus.
  ['ul[aria-label$=" endpoints"]', (list) => set(list, 'tabindex', '0')],
  // The element that it controls does not exist yet.
  [
    'button[aria-controls]',
    (button) => {
      if (document.getElementById(button.getAttribute('aria-controls')) === null) {
        button.removeAttribute('aria-controls');
      }
    },
  ],
  // An answer that is longer than its box must take the focus to be scrolled with the keyboard.
  [
    '.cm-scroller:has(> .cm-content[contenteditable="false"])',
    (box) => {
      set(box, 'tabindex', '0');
      set(box, 'role', 'region');
      name(box, 'Answer');
    },
  ],
  // Fields of the form for trying a request.
  ['tr input[type="checkbox"]', (box) => rename(box, `Send ${rowName(box)}`)],
  // A delete button without text, visible while its row has the focus.
  [
    'tr button.scalar-button',
    (button) => {
      if (button.textContent.trim() === '') rename(button, `Remove ${rowName(button)}`);
    },
  ],
  // The body is in a row too. On a narrow screen it scrolls, so it needs the focus and a hint for the keyboard.
  [
    '.cm-content[role="textbox"][data-language]',
    (body) => {
      rename(body, 'Body');
      set(body, 'title', 'Tab indents. Escape, then Tab leaves the body.');
      set(body, 'tabindex', '0');
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

/** For elements that are drawn before their content is known. */
function rename(element, words) {
  set(element, 'aria-label', words);
}

/** Writes only a change: the observer reports every write, and would run the repairs again without end. */
function set(element, attribute, value) {
  if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
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
