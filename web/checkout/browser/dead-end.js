// A page where nothing can be paid: shows the payment of this browser. If the answer to a payment was lost, that payment
// can have been made all the same, and can be the reason why the page is closed: it is sent again, and opened if it was
// made. If every place is taken, opens the form when a place is free; without the script, that page reloads itself every
// few seconds.
import { rememberPayment, showOpenPayment } from './open-payment.js';
import { request } from './request.js';
import { isRefused, Sender } from './sender.js';
import { readUnfinished } from './unfinished.js';

const POLL_MS = 15_000;
/** Before a payment is sent again whose answer was lost once more. After that, the buyer can load the page again. */
const PAUSES_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000];
/** The outcomes after which the payment is sent again. */
const REPEATED = ['network', 'unavailable', 'tooMany'];
const { page, reason } = document.getElementById('dead-end').dataset;
const sent = document.getElementById('sent');

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function poll() {
  const response = await request(`/api/v1/checkout/${page}`);
  const checkout = response?.ok ? await response.json().catch(() => null) : null;
  // Not `reload`, which would send a form again, and not `href`, which loads nothing if it has a fragment.
  if (checkout !== null && checkout.reason !== reason) {
    return location.replace(location.pathname + location.search);
  }
  setTimeout(poll, POLL_MS);
}

/**
 * Says that a payment was sent whose outcome is not known, also if another tab sent it, or if the server does not find
 * the page any more, which says nothing about the payment.
 */
function showSent() {
  const unfinished = readUnfinished(page);
  sent.textContent = unfinished === null ? '' : sent.dataset[unfinished.isCard ? 'card' : 'lost'];
  sent.hidden = unfinished === null;
}

async function open() {
  // Only cards subscribe, and the browser keeps no cards.
  const sender = new Sender(page, 'payments');
  let outcome = await sender.sendEarlier();
  if (outcome?.kind !== 'made') void showOpenPayment(page);
  showSent();
  for (const pause_ms of PAUSES_MS) {
    if (!REPEATED.includes(outcome?.kind)) break;
    await pause(pause_ms);
    outcome = await sender.sendEarlier();
    showSent();
  }
  if (outcome?.kind !== 'made') return;
  if (isRefused(outcome.made)) return showOpenPayment(page);
  rememberPayment(page, outcome.made.hash);
  location.replace(`/p/${outcome.made.hash}`);
}

if (reason === 'taken') setTimeout(poll, POLL_MS);
void open();
