// On a narrow screen the answer to a request that is tried stands below the whole form, out of view: brings it there.

const ANSWER = '[aria-label="Response"]';

/** Shows the answer from its status on, unless the status is in view. Nothing else on the page moves. */
function show(answer) {
  const form = answer.parentElement;
  const status = answer.querySelector('.request-response-header a');
  if (status === null) return;
  const [seen, wanted] = [form.getBoundingClientRect(), status.getBoundingClientRect()];
  if (wanted.top >= seen.top && wanted.bottom <= seen.bottom) return;
  form.scrollTop += answer.getBoundingClientRect().top - seen.top;
}

// The renderer draws an answer where the one before it stood, and nothing else changes there while it is out of view.
new MutationObserver((changes) => {
  const changed = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
  const answers = new Set(changed.map((element) => element?.closest(ANSWER)).filter(Boolean));
  for (const answer of answers) show(answer);
}).observe(document.body, { subtree: true, childList: true, characterData: true });
