// Follows the payment of the page while it is open, and copies codes. Without it, the page then reloads itself every few
// seconds. Of a payment that is not open but can change, it shows the changes when the buyer comes back to the page.
const POLL_MS = 4_000;
/** The first event comes at once. If it does not, something between the page and the server holds the stream back. */
const SILENCE_MS = 5_000;
const payment = document.getElementById('payment');
const address = `/api/v1/checkout/payments/${payment.dataset.hash}`;

/** The part of a payment that the page shows, as in `data-state`. */
function stateOf(record) {
  const { state, codeField } = payment.dataset;
  // A page from before there was `data-code-field` has only the status to compare.
  if (codeField === undefined) return `${record.status} ${state.split(' ')[1]}`;
  const code = codeField.split('.').reduce((value, name) => value?.[name], record) ?? null;
  return `${record.status} ${code === null ? 'preparing' : 'ready'}`;
}

function show(record) {
  const { state, amounts } = payment.dataset;
  const shown = `${record.amount} ${record.refunded_amount}`;
  // A page or an answer from before there were amounts in both has nothing to compare.
  const isOther = amounts !== undefined && record.refunded_amount !== undefined && amounts !== shown;
  if (stateOf(record) !== state || isOther) location.reload();
}

async function read() {
  const response = await fetch(address).catch(() => null);
  if (response?.ok) show(await response.json());
}

async function poll() {
  await read().catch(() => {});
  setTimeout(poll, POLL_MS);
}

/** Server-sent events; a browser reconnects by itself unless the server refuses the stream. Without events, polling. */
function follow() {
  const events = new EventSource(`${address}/events`);
  let timer;
  const expect = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      events.close();
      void poll();
    }, SILENCE_MS);
  };
  events.addEventListener('payment', ({ data }) => {
    clearTimeout(timer);
    show(JSON.parse(data));
  });
  events.addEventListener('error', () => {
    expect();
    if (events.readyState !== EventSource.CLOSED) return;
    clearTimeout(timer);
    void poll();
  });
  expect();
}

// A phone stops the page while the buyer pays in the app of the bank.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void read().catch(() => {});
});

const DAY_S = 86_400;

/** Shows the time that is left, which the service has counted: the clock of a phone can be wrong. */
function countDown(box) {
  const end_ms = Date.now() + Number(box.dataset.seconds) * 1_000;
  const time = box.querySelector('time');
  const secondsLeft = () => Math.round((end_ms - Date.now()) / 1_000);
  const tick = () => {
    const left_s = Math.max(0, secondsLeft());
    const parts = [Math.floor(left_s / 3600), Math.floor(left_s / 60) % 60, left_s % 60];
    const shown = parts[0] === 0 ? parts.slice(1) : parts;
    time.textContent = shown.map((part) => String(part).padStart(2, '0')).join(':');
    if (left_s > 0) setTimeout(tick, 1_000);
  };
  if (secondsLeft() > DAY_S) return;
  box.firstChild.textContent = `${box.dataset.text} `;
  tick();
}

for (const button of document.querySelectorAll('[data-copy]')) {
  const area = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  button.hidden = false;
  area.addEventListener('focus', () => area.select());
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard?.writeText(area.dataset.code).then(
      () => true,
      () => false,
    );
    if (copied !== true) area.focus();
    const text = copied === true ? button.dataset.copied : button.dataset.failed;
    button.textContent = text;
    button.nextElementSibling.textContent = text;
    setTimeout(() => {
      button.textContent = label;
    }, 3_000);
  });
}

const left = document.getElementById('left');
if (left !== null) countDown(left);
if (!('settled' in payment.dataset)) follow();
