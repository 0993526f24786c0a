// Opens the search of the docs: with its button in the bar, with / and with Ctrl+K or ⌘K. The panel and the index are
// loaded when the search is first opened.
const searchButton = document.createElement('button');
searchButton.type = 'button';
searchButton.className = 'search-open';
searchButton.setAttribute('aria-keyshortcuts', '/ Control+K Meta+K');
searchButton.innerHTML =
  '<svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg><span>Search</span><kbd aria-hidden="true">/</kbd>';
document.querySelector('.bar .theme').before(searchButton);

let searchPanel;

function loadSearch() {
  searchPanel ??= import('/docs/assets/search-panel.js');
  // A failure is not cached, because the next attempt can succeed.
  searchPanel.catch(() => {
    searchPanel = undefined;
  });
  return searchPanel;
}

/** The text that is typed while the panel is loading; null at other times. */
let typed = null;

async function openSearch() {
  if (typed !== null) return;
  typed = '';
  try {
    const { open } = await loadSearch();
    open(typed);
  } finally {
    typed = null;
  }
}

/** Whether the element takes text input. */
function isTyping(target) {
  return target.isContentEditable || target.closest?.('input, textarea, select') != null;
}

for (const event of ['pointerenter', 'focus'])
  searchButton.addEventListener(event, loadSearch, { once: true });
searchButton.addEventListener('click', openSearch);

document.addEventListener('keydown', (event) => {
  if (typed !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    typed += event.key;
    event.preventDefault();
    return;
  }
  const isSlash =
    event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
  const isK =
    event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (!isSlash && !isK) return;
  event.preventDefault();
  openSearch();
});

// An address that ends in ?search opens it. The parameter is then removed, because addresses are stored and shared.
if (location.search === '?search') {
  history.replaceState(history.state, '', location.pathname + location.hash);
  if (location.hash === '') openSearch();
}
