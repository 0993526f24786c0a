import { fieldOfPath } from '../form-body.ts';

const IN_PROGRESS_POLL_MS = 500;
const IN_PROGRESS_POLLS = 60;
const LONG_WAIT_S = 120;

/** Sends the payments or the subscriptions of a page, each with a key of its own. */
export class Sender {
  #address;
  #last = null;

  /** `kind`: `payments` or `subscriptions`. */
  constructor(hash, kind) {
    this.#address = `/api/v1/checkout/${hash}/${kind}`;
  }

  /**
   * Sends a payment. `same` is equal for two tries of the same payment: until the outcome of the first is known, the second
   * has its key and its body, so that the buyer does not pay twice. `makeBody` is called for a new payment.
   */
  async send(same, makeBody) {
    if (this.#last?.same !== same) {
      this.#last = { same, key: newKey(), body: JSON.stringify(await makeBody()) };
    }
    const outcome = await this.#outcome();
    if (!['network', 'unavailable', 'tooMany', 'tooManyCards', 'tooManyUnpaid'].includes(outcome.kind))
      this.#last = null;
    return outcome;
  }

  async #outcome() {
    for (let poll = 0; poll < IN_PROGRESS_POLLS; poll += 1) {
      const response = await this.#post();
      if (response === null) return { kind: 'network' };
      if (response.status !== 409) return outcomeOf(response);
      await new Promise((resolve) => setTimeout(resolve, IN_PROGRESS_POLL_MS));
    }
    return { kind: 'network' };
  }

  async #post() {
    const { key, body } = this.#last;
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    return fetch(this.#address, { method: 'POST', headers, body }).catch(() => null);
  }
}

async function outcomeOf(response) {
  const body = await response.json().catch(() => ({}));
  const { status } = response;
  if (status === 201) return { kind: 'made', made: body };
  if (status === 403 || status === 404) return { kind: 'closed' };
  if (status === 400) return { kind: 'sendAgain' };
  if (status === 429) {
    if (body.error?.code === 'too_many_unpaid_charges') return { kind: 'tooManyUnpaid' };
    const isLong = Number(response.headers.get('Retry-After')) > LONG_WAIT_S;
    return { kind: isLong ? 'tooManyCards' : 'tooMany' };
  }
  if (status !== 422) return { kind: 'unavailable' };
  const fields = Object.keys(body.errors ?? {}).map(fieldOfPath);
  if (fields.includes('status')) return { kind: 'closed' };
  if (fields.includes('customer')) return { kind: 'subscribed' };
  return fields.length === 0 ? { kind: 'sendAgain' } : { kind: 'fields', fields };
}

/** `randomUUID` is missing on pages that are not secure. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
