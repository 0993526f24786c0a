// Opens the search of the reference for the guides' link to it, and mends what the renderer leaves out: Enter opens the
// first result where none is chosen, and a phone's menu does not stay over what was found.

const LOOK_AGAIN_MS = 700;
const FIELD = 'input[role="combobox"][aria-controls$="-search-result"]';

// On a phone the search's button is in the menu, which the first button opens.
function openSearch() {
  const opening = setInterval(() => {
    if (document.querySelector(FIELD)) return clearInterval(opening);
    const button =
      document.querySelector('button:has(.sidebar-search-placeholder)') ??
      document.querySelector('#reference button');
    button?.click();
  }, LOOK_AGAIN_MS);
}

// The word does not stay in the address: whoever keeps or sends it means what was found, not the search.
if (location.search === '?search') {
  history.replaceState(history.state, '', location.pathname + location.hash);
  if (location.hash === '') openSearch();
}

// Before the renderer hears of it, which does nothing where nothing is chosen.
document.addEventListener(
  'keydown',
  (event) => {
    const field = event.target;
    if (event.key !== 'Enter' || event.isComposing || !field.matches(FIELD) || field.value === '') return;
    const results = document.getElementById(field.getAttribute('aria-controls'));
    if (results.querySelector('[aria-selected="true"]')) return;
    event.preventDefault();
    event.stopPropagation();
    results.querySelector('[role="option"]')?.click();
  },
  true,
);

// The renderer closes the menu itself for all but chapters that have others below them. It hears of the click first.
document.addEventListener(
  'click',
  ({ target }) => {
    if (!target.closest('[id$="-search-result"] [role="option"]')) return;
    setTimeout(() =>
      document.querySelector('.references-sidebar-mobile-open .t-doc__header button')?.click(),
    );
  },
  true,
);
