// One item of each list: an endpoint, an event, a delivery.
import { action, code, element, json, time } from './elements.js';

/** An endpoint with a button for a ping. */
export function endpointItem({ url, events, status, disabled_reason }, ping) {
  const state = element('span', { className: `state ${status}` }, status);
  const chosen = events.includes('*') ? 'all events' : events.join(', ');
  const item = element('li', {}, state, ' ', code(url), ' ', element('span', { className: 'quiet' }, chosen));
  if (status === 'active') item.append(' ', action('Send a ping', `Send a ping to ${url}`, ping));
  if (disabled_reason !== null) item.append(element('p', {}, disabled_reason));
  return item;
}

/** An event with its payload. */
export function eventItem(event) {
  const status = element('span', { className: 'quiet' }, event.data.status ?? '');
  const summary = element('summary', {}, time(event.created_at), ' ', code(event.event), ' ', status);
  return element('li', {}, element('details', {}, summary, json(event, `Payload of ${event.event}`)));
}

/** A delivery with its attempts and a button to send it again. */
export function deliveryItem(delivery, redeliver) {
  const { event, url, status, attempts, error, next_attempt_at, response_body, created_at } = delivery;
  const count = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`;
  const summary = element(
    'summary',
    {},
    time(created_at),
    ' ',
    element('span', { className: `state ${status}` }, status),
    ' ',
    code(event),
    ' ',
    element('span', { className: 'quiet' }, `${count} to ${new URL(url).host}`),
  );
  const details = element('details', {}, summary, element('p', {}, 'To ', code(url)));
  if (attempts.length > 0) details.append(element('ol', {}, ...attempts.map(attemptItem)));
  if (error !== null) details.append(element('p', { className: 'problem' }, error.message));
  if (next_attempt_at !== null) details.append(element('p', {}, 'Next attempt: ', time(next_attempt_at)));
  if (response_body) details.append(element('p', {}, 'Last answer: ', code(response_body)));
  return element('li', {}, details, action('Send again', `Send again: ${event} to ${url}`, redeliver));
}

function attemptItem({ attempted_at, duration_ms, response_status, error }) {
  const result = response_status === null ? (error?.code ?? 'no answer') : `status ${response_status}`;
  return element('li', {}, time(attempted_at), `: ${result}, ${duration_ms} ms`);
}
