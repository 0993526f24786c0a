// Shows the events, deliveries and endpoints of a sandbox account as they change.
import { ApiError, apiOf } from './api.js';
import { deliveryItem, endpointItem, eventItem } from './items.js';
import { List } from './lists.js';

const SHOWN = 50;
const WAIT_S = 25;
const POLL_MS = 2_000;
const RETRY_MS = 3_000;
/** The pause after an answer without events that came within this time: a busy service does not let requests wait. */
const EARLY_MS = 1_000;

const form = document.querySelector('form.tester');
const field = form.querySelector('input');
const [start, useDemo, stop] = ['start', 'demo-key', 'stop'].map((id) => document.getElementById(id));
const state = document.getElementById('state');
const problem = document.getElementById('problem');
const results = document.getElementById('results');

let api;
let session = new AbortController();

const endpoints = new List('endpoints', (endpoint) =>
  endpointItem(endpoint, () => ask('POST', `/webhook-endpoints/${endpoint.id}/ping`)),
);
const events = new List('events', eventItem);
const deliveries = new List('deliveries', (delivery) =>
  deliveryItem(delivery, () => ask('POST', `/webhook-deliveries/${delivery.id}/redeliver`)),
);

/** A change that the reader asks for. The lists are read again afterwards. */
async function ask(method, path) {
  problem.textContent = '';
  try {
    await api(method, path);
    await readLists();
  } catch (error) {
    if (!session.signal.aborted) problem.textContent = error.message;
  }
}

async function readLists() {
  const [sent, to] = await Promise.all([
    api('GET', `/webhook-deliveries?per_page=${SHOWN}`),
    api('GET', '/webhook-endpoints?per_page=20'),
  ]);
  deliveries.show(sent.data);
  endpoints.show(to.data);
}

function showState() {
  state.textContent = `Live. Events: ${events.size}. Deliveries: ${deliveries.size}.`;
}

/** Shows the newest events, and then each that follows, until the signal aborts. */
async function followEvents(signal) {
  const { data, pagination } = await api('GET', `/events?per_page=${SHOWN}`);
  events.show(data);
  let after = pagination.next_after ?? '';
  while (!signal.aborted) {
    showState();
    const asked_ms = performance.now();
    const page = await api('GET', `/events?after=${after}&wait=${WAIT_S}&per_page=${SHOWN}`);
    // Without a position, these are all events: those that are shown may have been deleted by a reset.
    if (after === '') events.show(page.data.reverse());
    else events.add(page.data.reverse());
    after = page.pagination.next_after ?? '';
    if (page.data.length === 0 && performance.now() - asked_ms < EARLY_MS) await pause(EARLY_MS, signal);
  }
}

/** Reads the lists again and again. A page that is not visible waits. */
async function followLists(signal) {
  while (!signal.aborted) {
    if (!document.hidden) {
      await readLists();
      showState();
    }
    await pause(POLL_MS, signal);
  }
}

/** Repeats `follow` after a failure, unless the key or the request is refused. */
async function keep(follow, signal) {
  while (!signal.aborted) {
    try {
      await follow(signal);
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = error instanceof ApiError && [401, 403].includes(error.status);
      if (isRefused) return end(error.message);
      state.textContent = `Trying again: ${error instanceof ApiError ? error.message : 'the service does not answer.'}`;
      await pause((error.retryAfter_s ?? 0) * 1_000 || RETRY_MS, signal);
    }
  }
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Stops everything. `reason` is shown as an error. */
function end(reason = '') {
  session.abort();
  problem.textContent = reason;
  field.setAttribute('aria-invalid', String(reason !== ''));
  state.textContent = reason === '' ? 'Stopped.' : '';
  start.hidden = false;
  stop.hidden = true;
  if (reason !== '') field.focus();
}

function begin(key) {
  session.abort();
  session = new AbortController();
  const { signal } = session;
  // Another key can be of another account.
  for (const list of [endpoints, events, deliveries]) list.show([]);
  problem.textContent = '';
  if (!key.startsWith('pay_test_')) {
    results.hidden = true;
    return end('This is not a key of a sandbox. Those start with pay_test_.');
  }
  api = apiOf(key, signal);
  field.removeAttribute('aria-invalid');
  state.textContent = 'Connecting…';
  stop.hidden = false;
  if (document.activeElement === start) stop.focus();
  start.hidden = true;
  results.hidden = false;
  void keep(followEvents, signal);
  void keep(followLists, signal);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  begin(field.value.trim());
});
stop.addEventListener('click', () => {
  end();
  start.focus();
});
const demo = globalThis.centavoDemo;
useDemo.hidden = !demo;
useDemo.addEventListener('click', () => {
  field.value = demo.apiKey;
  form.requestSubmit();
});
