/** The server and the storages that the form of a checkout page has in a test, without a browser. */
import { mock } from 'node:test';

export const { Sender } = await import(
  new URL('../../../web/checkout/browser/sender.js', import.meta.url).href
);

export const PAID = { status: 201, body: { hash: 'first', status: 'paid' } };
export const REFUSED = { status: 201, body: { hash: 'first', status: 'refused' } };
export const LOST = { status: 502, body: undefined };
export const OVERLOADED = { status: 503, body: { error: { code: 'overloaded' } } };
export const REUSED = { status: 422, body: { error: { code: 'idempotency_key_reused' } } };
/** Can come before the server looks at the key. */
export const INVALID = { status: 422, body: { errors: { 'customer.email': ['Is bad.'] } } };
/** Comes only after that. */
export const CHANGED = { status: 422, body: { errors: { amount: ['Has changed.'] } } };
export const TAKEN = { status: 422, body: { errors: { status: ['Is full.'] } } };
const limited = (code: string, wait_s: number) => {
  return { status: 429, body: { error: { code } }, headers: { 'Retry-After': String(wait_s) } };
};
export const MANY_UNPAID = limited('too_many_unpaid_charges', 60);
export const MANY_CARDS = limited('rate_limited', 3600);
export const MANY_REQUESTS = limited('rate_limited', 60);

export interface Answer {
  readonly status: number;
  readonly body: object | undefined;
  readonly headers?: Record<string, string>;
}

/** Answers the requests in turn, and returns their keys and bodies. */
export function answering(...answers: (Answer | null)[]): string[] {
  const sent: string[] = [];
  mock.method(
    globalThis,
    'fetch',
    async (_url: string, request: { headers: Record<string, string>; body: string }) => {
      sent.push(`${request.headers['Idempotency-Key']} ${request.body}`);
      const answer = answers.shift();
      if (answer === null || answer === undefined) throw new TypeError('The network failed.');
      const text = answer.body === undefined ? 'Bad Gateway' : JSON.stringify(answer.body);
      return new Response(text, answer);
    },
  );
  return sent;
}

/** Replaces the storages of the browser by those of a new tab. `shared`: what all its tabs have. */
export function openTab(shared = new Map<string, string>()): void {
  for (const [name, items] of [
    ['localStorage', shared],
    ['sessionStorage', new Map<string, string>()],
  ] as const) {
    const storage = {
      getItem: (item: string) => items.get(item) ?? null,
      setItem: (item: string, text: string) => items.set(item, text),
      removeItem: (item: string) => items.delete(item),
    };
    Object.defineProperty(globalThis, name, { value: storage, configurable: true });
  }
}

export const send = (sender: typeof Sender, name: string) => sender.send(name, false, async () => ({ name }));
export const sendCard = (sender: typeof Sender, name: string) =>
  sender.send(name, true, async () => ({ name }));

/** Of requests that `answering` returns. */
export const keysOf = (sent: string[]) => sent.map((each) => each.slice(0, 32));
export const bodiesOf = (sent: string[]) => sent.map((each) => each.slice(33));
