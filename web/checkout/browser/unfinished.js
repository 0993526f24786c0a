// The last payment of each page whose outcome is not known. A page that is loaded again sends its key, so that the buyer
// does not pay twice.

/** The server forgets a key a day after it first got it, which can be at the last try. */
const LONGEST_MS = 86_400_000;

const nameOf = (page) => `centavo-sent-${page}`;

/**
 * Keeps a payment. The body has what the buyer typed, so only this tab keeps it, and not if it has a card, although that
 * is encrypted. Does nothing in a browser that stores nothing.
 */
export function keepUnfinished(page, { key, body, isCard }) {
  try {
    localStorage.setItem(nameOf(page), JSON.stringify({ key, isCard, at_ms: Date.now() }));
    if (!isCard) sessionStorage.setItem(nameOf(page), JSON.stringify({ key, body }));
  } catch {}
}

/** The payment that was kept, with its body if this tab has it; null if there is none. */
export function readUnfinished(page) {
  try {
    const { key, isCard, at_ms } = JSON.parse(localStorage.getItem(nameOf(page)));
    const inTab = JSON.parse(sessionStorage.getItem(nameOf(page)));
    if (Date.now() - at_ms > LONGEST_MS) return null;
    return { key, isCard, body: inTab?.key === key ? inTab.body : null };
  } catch {
    return null;
  }
}

/** Forgets a payment. Another tab may have kept another one since, which stays. */
export function dropUnfinished(page, { key }) {
  try {
    sessionStorage.removeItem(nameOf(page));
    if (readUnfinished(page)?.key === key) localStorage.removeItem(nameOf(page));
  } catch {}
}
