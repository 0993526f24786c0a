// A page whose places are all taken: shows the payment of this browser, and opens the form when a place is free. If the
// answer to a payment was lost, that payment may have the last place: it is sent again, and opened if it was made.
// Without the script, the page reloads itself every few seconds.
import { rememberPayment, showOpenPayment } from './open-payment.js';
import { request } from './request.js';
import { isRefused, Sender } from './sender.js';

const POLL_MS = 15_000;
const { page } = document.getElementById('taken').dataset;

async function poll() {
  const response = await request(`/api/v1/checkout/${page}`);
  const checkout = response?.ok ? await response.json().catch(() => null) : null;
  // Not `reload`, which would send a form again.
  if (checkout !== null && checkout.reason !== 'taken') return location.replace(location.href);
  setTimeout(poll, POLL_MS);
}

async function open() {
  // Only cards subscribe, and the browser keeps no cards.
  const outcome = await new Sender(page, 'payments').sendEarlier();
  if (outcome?.kind !== 'made' || isRefused(outcome.made)) return showOpenPayment(page);
  rememberPayment(page, outcome.made.hash);
  location.replace(`/p/${outcome.made.hash}`);
}

setTimeout(poll, POLL_MS);
void open();
