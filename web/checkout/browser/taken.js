// A page whose places are all taken: shows the payment of this browser, and opens the form when a place is free. Without
// it, the page reloads itself every few seconds.
import { showOpenPayment } from './open-payment.js';
import { request } from './request.js';

const POLL_MS = 15_000;
const { page } = document.getElementById('taken').dataset;

async function poll() {
  const response = await request(`/api/v1/checkout/${page}`);
  const checkout = response?.ok ? await response.json().catch(() => null) : null;
  // Not `reload`, which would send a form again.
  if (checkout !== null && checkout.reason !== 'taken') return location.replace(location.href);
  setTimeout(poll, POLL_MS);
}

setTimeout(poll, POLL_MS);
void showOpenPayment(page);
