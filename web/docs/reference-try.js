// On a narrow screen, the answer to a request is below the form and not visible. This scrolls to it.

const ANSWER = '[aria-label="Response"]';

/** Scrolls to the status of the answer, unless it is visible. */
function show(answer) {
  const form = answer.parentElement;
  const status = answer.querySelector('.request-response-header a');
  if (status === null) return;
  const [seen, wanted] = [form.getBoundingClientRect(), status.getBoundingClientRect()];
  if (wanted.top >= seen.top && wanted.bottom <= seen.bottom) return;
  form.scrollTop += answer.getBoundingClientRect().top - seen.top;
}

// The renderer draws an answer in place of the previous one. While it is not visible, nothing else changes there.
new MutationObserver((changes) => {
  const changed = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
  const answers = new Set(changed.map((element) => element?.closest(ANSWER)).filter(Boolean));
  for (const answer of answers) show(answer);
}).observe(document.body, { subtree: true, childList: true, characterData: true });
