// The form of a checkout page. Without it, the form is sent as it is, and cards cannot be used.
import { shownAmount, typedAmount } from '../amounts.ts';
import { paymentBody, subscriptionBody, wrongFields } from '../form-body.ts';
import { needsOf } from '../methods/needs.ts';
import { isPriceChanged } from '../outcome.ts';
import { refusalProblems } from './card-fields.js';
import { CardForm } from './card-form.js';
import { Failures } from './failures.js';
import { Installments } from './installments.js';
import { maskInputs } from './masks.js';
import { rememberPayment, showOpenPayment } from './open-payment.js';
import { request } from './request.js';
import { isRefused, Sender } from './sender.js';

const data = JSON.parse(document.getElementById('checkout-data').textContent);
const { rules, words } = data;
/** Null if the buyer pays once. */
let { subscription } = data;
const form = document.getElementById('checkout');
const button = form.querySelector('button.pay');
const failures = new Failures(form, words);
const card = CardForm.of(form, data);
const installments = new Installments(form, data, showTotal);
const sender = new Sender(data.hash, subscription === null ? 'payments' : 'subscriptions');

form.noValidate = true;
maskInputs(form);
form.amount?.addEventListener('input', amountChanged);
form.amount?.addEventListener('blur', () => {
  const amount = typedAmount(form.amount.value, rules.language);
  if (amount !== null) form.amount.value = shownAmount(amount, words.locale);
});
for (const radio of form.querySelectorAll('[name="payment_method"]')) {
  radio.addEventListener('change', methodChanged);
}
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void pay();
});
// The browser can restore the page from its cache. It then has the state of the last payment.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
methodChanged();
amountChanged();
void showOpenPayment(data.hash);

function values() {
  return Object.fromEntries(new FormData(form));
}

function amount() {
  return rules.amount ?? typedAmount(form.amount.value, rules.language);
}

function methodChanged() {
  card?.show(values().payment_method);
  showTotal();
}

function amountChanged() {
  installments.amountChanged(amount());
  showTotal();
}

/** The button has what is charged; the summary has it if there is interest. */
function showTotal() {
  const chosen = needsOf(rules.needs, values().payment_method).installments
    ? installments.chosen()
    : undefined;
  const total = chosen?.total_amount ?? amount();
  const shown = (centavos) => shownAmount(centavos, words.locale);
  if (!isBusy()) {
    const pay = total === null ? words.pay : `${words.pay} ${shown(total)}`;
    button.firstElementChild.textContent = subscription?.text ?? pay;
  }
  const interest = chosen?.interest_amount ?? 0;
  document.getElementById('totals').hidden = interest === 0;
  document.getElementById('interest').textContent = shown(interest);
  document.getElementById('total').textContent = shown(total ?? 0);
}

function isBusy() {
  return button.getAttribute('aria-busy') === 'true';
}

function setBusy(busy) {
  button.setAttribute('aria-busy', String(busy));
  if (busy) button.firstElementChild.textContent = words.paying;
  else showTotal();
}

async function pay() {
  if (isBusy()) return;
  const sent = values();
  const isByCard = needsOf(rules.needs, sent.payment_method).card;
  if (isByCard && !card.canEncrypt) return failures.show(words.failures.insecure);
  const problems = new Map(wrongFields(sent, rules).map((field) => [field, words.problems[field]]));
  const typed = isByCard ? card.values() : null;
  for (const [field, problem] of typed === null ? [] : card.problems(typed)) problems.set(field, problem);
  failures.show(problems.size === 0 ? null : words.failures.fields, problems);
  if (problems.size > 0) return;
  setBusy(true);
  try {
    await send(sent, typed);
  } catch {
    failures.show(words.failures.network);
  } finally {
    setBusy(false);
  }
}

async function send(sent, typed) {
  const hasInstallments = subscription === null && needsOf(rules.needs, sent.payment_method).installments;
  const failure = hasInstallments ? await installments.failure() : undefined;
  if (failure !== undefined) return failures.show(words.failures[failure]);
  const choice = hasInstallments ? installments.chosen() : undefined;
  // The same payment again, after a failure of the network, is sent with the same key and the same bytes.
  const same = JSON.stringify([sent, typed, choice]);
  const outcome = await sender.send(same, typed !== null, async () => ({
    ...(subscription === null ? paymentBody(sent, rules) : subscriptionBody(sent, rules, subscription.terms)),
    ...(typed !== null && {
      ...(subscription === null && {
        installments: choice?.installments ?? 1,
        ...(choice !== undefined && { total_amount: choice.total_amount }),
      }),
      [sent.payment_method]: { encrypted: await card.encrypt(typed) },
    }),
  }));
  await show(outcome);
}

async function show(outcome) {
  switch (outcome.kind) {
    case 'made':
      return showMade(outcome.made);
    case 'closed':
      return showClosed();
    case 'fields':
      return showFields(outcome.fields);
    case 'sendAgain':
      await refresh();
      return failures.show(words.failures.sendAgain);
    default:
      return failures.show(words.failures[outcome.kind]);
  }
}

async function showFields(fields) {
  if (fields.includes('terms')) return showNewTerms();
  if (isPriceChanged(fields, rules.amount)) return showNewPrice();
  if (fields.includes('payment_method') || fields.includes('amount')) await refresh();
  const isNew = fields.some((field) => !failures.has(field)) && (await showNewFields());
  // The number and the expiry date have passed the check of the page.
  const problems = {
    ...words.problems,
    'card-number': words.problems.brand,
    'card-expiry': words.problems.expired,
  };
  const empty = isNew ? wrongFields(values(), rules) : [];
  const shown = [...fields, ...empty].filter((field) => failures.has(field));
  const failure = isNew ? 'newFields' : shown.length === 0 ? 'sendAgain' : 'fields';
  failures.show(words.failures[failure], new Map(shown.map((field) => [field, problems[field]])));
}

function showMade(made) {
  const payment = subscription === null ? made : made.payment;
  if (isRefused(made)) {
    const ofMethod = words.refused[payment.payment_method];
    if (ofMethod) return failures.show(ofMethod);
    const code = payment.refusal?.code;
    return failures.show(words.refusals[code] ?? words.refusals.other, refusalProblems(code, words.problems));
  }
  if (subscription === null) rememberPayment(data.hash, made.hash);
  return leave(`/${subscription === null ? 'p' : 'a'}/${made.hash}`);
}

/** Opens a page, or this one again. The button stays busy, because another click would be another payment. */
function leave(path = location.href) {
  if (path === location.href) location.reload();
  else location.assign(path);
  return new Promise(() => {});
}

/** The page says why nothing can be paid, unless a place has become free since. */
async function showClosed() {
  const checkout = await refresh();
  if (!checkout?.payable) return leave();
  await showOpenPayment(data.hash);
  return failures.show(words.failures.sendAgain);
}

async function showNewPrice() {
  await refresh();
  if (rules.amount !== null) {
    document.getElementById('price').textContent = shownAmount(rules.amount, words.locale);
  }
  failures.show(words.failures.priceChanged);
}

/** Shows the terms as they are now. What the buyer has typed stays. */
async function showNewTerms() {
  const page = await readPage();
  if (page === null) return leave();
  subscription = page.data.subscription;
  for (const part of ['.summary', '.consent'])
    document.querySelector(part).replaceWith(page.querySelector(part));
  showTotal();
  failures.show(words.failures.priceChanged);
}

/** Shows the fields that the shop asks for since the page was opened. Returns false if there are none. */
async function showNewFields() {
  const page = await readPage();
  if (page === null) return leave();
  const isNew = (id) => page.getElementById(id) !== null && document.getElementById(id) === null;
  const [isPhoneNew, isAddressNew] = [isNew('phone'), isNew('postal_code')];
  if (isPhoneNew) {
    const phone = page.getElementById('phone').closest('.field');
    form.elements.name.closest('.grid').append(phone);
    maskInputs(phone);
  }
  if (isAddressNew) {
    const address = page.getElementById('postal_code').closest('section');
    button.before(address);
    maskInputs(address);
  }
  const { collect_phone, require_address } = page.data.rules;
  Object.assign(rules, { collect_phone, require_address });
  return isPhoneNew || isAddressNew;
}

/** Reads the page again, with its data. Null if nothing can be paid any more, or if there is no answer. */
async function readPage() {
  const response = await request(location.href);
  const html = await response?.text().catch(() => '');
  const page = new DOMParser().parseFromString(html ?? '', 'text/html');
  const text = page.getElementById('checkout-data')?.textContent;
  return text === undefined ? null : Object.assign(page, { data: JSON.parse(text) });
}

/** Reads the page's price, its methods, its installments and its key again. A page of another kind is opened again. */
async function refresh() {
  const typed = rules.amount === null ? amount() : null;
  const query = typed === null ? '' : `?amount=${typed}`;
  const response = await request(`/api/v1/checkout/${data.hash}${query}`);
  const checkout = response?.ok ? await response.json().catch(() => null) : null;
  if (checkout === null) return null;
  const isOther = (one, other) => (one === null) !== (other === null);
  if (isOther(checkout.amount, rules.amount) || isOther(checkout.recurrence, subscription)) return leave();
  rules.amount = checkout.amount;
  card?.setKey(checkout.card_encryption_key.jwk);
  for (const radio of form.querySelectorAll('[name="payment_method"]'))
    radio.disabled = !checkout.payment_methods.includes(radio.value);
  if (typed === (rules.amount === null ? amount() : null)) installments.set(checkout.installments);
  return checkout;
}
