import { isAfterKey, isRepeated, outcomeOf } from '../outcome.ts';
import { request } from './request.js';
import { dropUnfinished, keepUnfinished, readUnfinished } from './unfinished.js';

const IN_PROGRESS_POLL_MS = 500;
const IN_PROGRESS_POLLS = 60;

/** Sends the payments or the subscriptions of a page, each with a key of its own. */
export class Sender {
  #page;
  #address;
  /** The last request, until its outcome is known. */
  #last = null;
  /**
   * The payment that was sent before the page was loaded, or since by another tab, until its outcome is known or it is
   * the last request. Other payments are sent with its key. Its body is null if this tab does not have it.
   */
  #earlier;

  /** `kind`: `payments` or `subscriptions`. */
  constructor(hash, kind) {
    this.#page = hash;
    this.#address = `/api/v1/checkout/${hash}/${kind}`;
    this.#earlier = readUnfinished(hash);
  }

  /**
   * Sends a payment. `same` is equal for two tries of the same payment: until the outcome of the first is known, the
   * second has its key and its body, so that the buyer does not pay twice. If the buyer has changed something after an
   * answer was lost, the first payment is sent again before the new one, which is not sent if the first one was made.
   * After the page was loaded again, the new payment is sent before the first one, which is sent if it has the key.
   * `makeBody` is called for a new payment; it rejects if the card cannot be encrypted.
   */
  async send(same, isCard, makeBody) {
    for (;;) {
      if (!this.#last?.isUnknown && this.#last?.same !== same) {
        const body = await makeBody().catch(() => null);
        if (body === null) return { kind: 'insecure' };
        this.#last = this.#newRequest({ same, isCard, body: JSON.stringify(body) });
      }
      const sent = this.#last;
      const outcome = await this.#finished();
      const isEarlierNext = isSentBefore(outcome) && this.#last !== null;
      if (isEarlierNext) continue;
      if (sent.same === same || this.#last !== null || isSent(outcome)) return outcome;
    }
  }

  /**
   * Sends the payment again that this tab sent before the page was loaded, until its outcome is known. Null if there is
   * none any more, or if a card may have been charged since, which is not kept.
   */
  async sendEarlier() {
    if (this.#earlier?.body && !this.#earlier.isCard) this.#repeatEarlier();
    return this.#last?.isUnknown ? this.#finished() : null;
  }

  #newRequest(request) {
    // Another tab can have sent one since. The own last payment was dropped, unless its outcome is not known.
    this.#earlier ??= readUnfinished(this.#page);
    const earlier = this.#earlier;
    if (earlier === null) return { ...request, key: newKey(), isUnknown: false };
    return { ...request, key: earlier.key, isCard: request.isCard || earlier.isCard, isUnknown: false };
  }

  #repeatEarlier() {
    this.#last = { ...this.#earlier, same: null, isUnknown: true };
    this.#earlier = null;
  }

  async #finished() {
    const last = this.#last;
    // The first payment with the key stays, because this one can be refused before the server looks at the key.
    keepUnfinished(this.#page, { ...last, body: (this.#earlier ?? last).body });
    const outcome = await this.#outcome();
    // A refusal of the second try says nothing about the first, unless the server has looked at the key.
    const wasUnknown = last.isUnknown || this.#earlier !== null;
    const isUnknown = outcome.kind === 'network' || (outcome.kind === 'unavailable' && wasUnknown);
    if (outcome.kind === 'network') last.isUnknown = true;
    else if (!isRepeated(outcome.kind)) this.#last = null;
    if (isAfterKey(outcome)) {
      last.isUnknown = false;
      if (isSentBefore(outcome) && this.#earlier?.body) this.#repeatEarlier();
      else this.#earlier = null;
    }
    // A page that is not found says nothing about a payment that was sent before.
    const isGone = outcome.kind === 'closed' && outcome.fields === undefined;
    const isOpen = this.#earlier !== null || this.#last?.isUnknown || (isGone && last.isUnknown);
    if (!isOpen) dropUnfinished(this.#page, last);
    if (isUnknown) return { kind: 'network' };
    return outcome.kind === 'sentBefore' && last.isCard ? { kind: 'sentBeforeCard' } : outcome;
  }

  async #outcome() {
    for (let poll = 0; poll < IN_PROGRESS_POLLS; poll += 1) {
      const response = await this.#post();
      if (response === null) return { kind: 'network' };
      if (response.status !== 409) {
        const body = await response.json().catch(() => null);
        return outcomeOf(response.status, body, Number(response.headers.get('Retry-After')));
      }
      await new Promise((resolve) => setTimeout(resolve, IN_PROGRESS_POLL_MS));
    }
    return { kind: 'network' };
  }

  async #post() {
    const { key, body } = this.#last;
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    return request(this.#address, { method: 'POST', headers, body });
  }
}

function isSentBefore({ kind }) {
  return kind === 'sentBefore' || kind === 'sentBeforeCard';
}

/** Whether another payment would be a second one. */
function isSent(outcome) {
  return isSentBefore(outcome) || (outcome.kind === 'made' && !isRefused(outcome.made));
}

/** Whether the card of a payment, or of the first charge of a subscription, was refused. */
export function isRefused(made) {
  return (made.payment ?? made).status === 'refused';
}

/** `randomUUID` is missing on pages that are not secure. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
