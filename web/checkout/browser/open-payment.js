import { request } from './request.js';

// A payment that waits for its buyer can use the last place of the page, and a buyer who comes back from the receipt may
// not be sure of having paid. The browser remembers the last payment of each page.
const NOTICES = { waiting_payment: 'open', processing: 'open', paid: 'paid', authorized: 'paid' };

const nameOf = (page) => `centavo-payment-${page}`;

/** `page` and `payment`: their hashes. Does nothing in a browser that stores nothing. */
export function rememberPayment(page, payment) {
  try {
    localStorage.setItem(nameOf(page), payment);
  } catch {}
}

/** Shows a link to the last payment of the page, if it is open or paid. */
export async function showOpenPayment(page) {
  const box = document.getElementById('open-payment');
  const payment = box === null ? null : remembered(page);
  if (payment === null) return;
  const response = await request(`/api/v1/checkout/payments/${payment}`);
  const { status } = response?.ok ? await response.json().catch(() => ({})) : {};
  const notice = box.dataset[NOTICES[status]];
  box.querySelector('a').href = `/p/${payment}`;
  box.querySelector('span').textContent = notice ?? '';
  box.hidden = notice === undefined;
}

function remembered(page) {
  try {
    return localStorage.getItem(nameOf(page));
  } catch {
    return null;
  }
}
