import { randomBytes, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { checkoutForm, openPaymentHtml } from './checkout-form.ts';
import { FIELDS, wrongFields } from './form-body.ts';
import type { FormState } from './form-state.ts';
import { wordsFor } from './language.ts';
import { type Html, html } from './markup.ts';
import { hasOnlyCards, methodWords } from './method-words.ts';
import { methodPage, NEEDS } from './methods/index.ts';
import { needsOf } from './methods/needs.ts';
import {
  type CallOperation,
  type FormPayment,
  makePayment,
  readCheckout,
  readPayment,
  readSubscription,
} from './operations.ts';
import { sendPage } from './page-answer.ts';
import { type Checkout, ICONS, type Look, noticeHtml } from './page-frame.ts';
import { paymentView } from './payment-page.ts';
import { isForeign } from './same-origin.ts';
import { subscriptionView } from './subscription-page.ts';
import { summaryHtml } from './summary.ts';
import type { Notice, Words } from './words/words.ts';

export interface CheckoutPagesOptions {
  readonly isSandbox: boolean;
  /** Runs the public operations, with their limits. */
  readonly call: CallOperation;
}

const FORM_SCRIPTS = ['/lib/centavo.js', '/checkout/assets/checkout.js'];
const PAYMENT_SCRIPTS = ['/checkout/assets/payment.js'];
const DEAD_END_SCRIPTS = ['/checkout/assets/dead-end.js'];
/** How often a page without scripts is loaded again. A buyer then has to select the code of a payment again. */
const REFRESH_S = 45;

const SUBSCRIPTION_PAGE = '/a/';

/** Of a payment that is made, the summary shows the amount. The offer can have changed since. */
const PAID_ONCE = { recurrence_interval: null, trial_days: 0, recurrence: null } as const;

type DeadEnd = keyof Words['deadEnds'];

const STATUS_OF: Readonly<Partial<Record<DeadEnd, number>>> = {
  unknown: 404,
  unknownPayment: 404,
  unknownSubscription: 404,
  tooMany: 429,
  down: 503,
  foreignForm: 403,
};

/** Answers the requests of buyers. */
export class BuyerPages {
  readonly #options: CheckoutPagesOptions;

  constructor(options: CheckoutPagesOptions) {
    this.#options = options;
  }

  /** The page of a link or an offer. */
  async showCheckout(request: Request, response: Response): Promise<void> {
    const found = await this.#payable(request, response);
    if (found !== null) this.#showForm(request, response, found, newForm());
  }

  /** Pays by a form that was sent without a script, and redirects to the page of the payment. */
  async pay(request: Request, response: Response): Promise<void> {
    const look = this.#look(request);
    if (isForeign(request)) return this.#deadEnd(response, look, 'foreignForm');
    // Also of a page where nothing can be paid any more: a form that is sent again may have been paid before.
    const checkout = await this.#read(request, response);
    if (checkout === null) return;
    const words = methodWords(checkout, look.words);
    const form = formOf(request.body);
    const { key, values } = form;
    const again = (failure: string, wrong: readonly string[], nextKey: string, shown = checkout) =>
      shown.payable
        ? this.#showForm(request, response.status(422), shown, { key: nextKey, values, wrong, failure })
        : this.#deadEnd(response, look, deadEndOf(shown), shown);
    if (needsOf(NEEDS, values.payment_method).card) {
      const wrong = hasOnlyCards(checkout) ? [] : ['payment_method'];
      return again(words.methodNotes.cardNeedsScript, wrong, key);
    }
    const wrong = wrongFields(values, { ...checkout, language: words.language, needs: NEEDS });
    if (wrong.length > 0) return again(words.failures.fields, wrong, key);
    const sent = { ...form, checkout, language: words.language };
    const made = await makePayment(this.#options.call, request, response, sent);
    switch (made.kind) {
      case 'made':
        return response.redirect(303, made.path);
      case 'closed': {
        // The page now says why, unless a place has become free since.
        const open = await this.#payable(request, response);
        return open === null ? undefined : again(words.failures.sendAgain, [], randomUUID(), open);
      }
      case 'refused':
        return again(words.failures[made.failure], made.wrong, randomUUID());
      case 'failed':
        // Why the page is closed says nothing about a payment that was made before.
        return checkout.payable
          ? again(words.failures[made.failure], [], key)
          : this.#deadEnd(response, look, 'down');
    }
  }

  /**
   * The page of a payment. A charge of a subscription is shown at the page of the subscription, unless that has ended.
   */
  async showPayment(request: Request, response: Response): Promise<void> {
    const look = this.#look(request);
    const { call } = this.#options;
    const payment = await readPayment(call, request, response, String(request.params.hash));
    if (typeof payment === 'string')
      return this.#deadEnd(response, look, payment === 'unknown' ? 'unknownPayment' : payment);
    const path = new URL(payment.checkout_url).pathname;
    if (path.startsWith(SUBSCRIPTION_PAGE)) return response.redirect(303, path);
    const checkout = await readCheckout(call, request, response, path.slice(path.lastIndexOf('/') + 1));
    if (typeof checkout === 'string') return this.#deadEnd(response, look, checkout);
    const hasOtherWays = checkout.payable && checkout.payment_methods.length > 1;
    const { title, main, isOpen, canChange } = paymentView(
      payment,
      methodWords(checkout, look.words),
      path,
      hasOtherWays,
    );
    sendPage(response, look, {
      title: `${title} · ${checkout.merchant_name}`,
      summary: summaryHtml({ ...checkout, amount: payment.amount, ...PAID_ONCE }, look.words),
      main,
      brandColor: checkout.brand_color,
      ...(canChange && { scripts: PAYMENT_SCRIPTS }),
      ...(isOpen && { isPayable: true, refresh_s: REFRESH_S }),
    });
  }

  /** The page of a subscription. */
  async showSubscription(request: Request, response: Response): Promise<void> {
    const look = this.#look(request);
    const { call } = this.#options;
    const subscription = await readSubscription(call, request, response, String(request.params.hash));
    if (typeof subscription === 'string') {
      const kind = subscription === 'unknown' ? 'unknownSubscription' : subscription;
      return this.#deadEnd(response, look, kind);
    }
    const path = new URL(subscription.checkout_url).pathname;
    const checkout = await readCheckout(call, request, response, path.slice(path.lastIndexOf('/') + 1));
    if (typeof checkout === 'string') return this.#deadEnd(response, look, checkout);
    const { title, main, isOpen, canChange } = subscriptionView(
      subscription,
      checkout,
      methodWords(checkout, look.words),
      path,
    );
    const amount = subscription.payment?.amount ?? null;
    sendPage(response, look, {
      title: `${title} · ${checkout.merchant_name}`,
      summary: summaryHtml({ ...checkout, amount, ...PAID_ONCE }, look.words),
      main,
      brandColor: checkout.brand_color,
      ...(canChange && { scripts: PAYMENT_SCRIPTS }),
      ...(isOpen && { isPayable: true, refresh_s: REFRESH_S }),
    });
  }

  /** The checkout. If it cannot be read, answers with a page that says so, and returns null. */
  async #read(request: Request, response: Response): Promise<Checkout | null> {
    const checkout = await readCheckout(this.#options.call, request, response, String(request.params.hash));
    if (typeof checkout !== 'string') return checkout;
    this.#deadEnd(response, this.#look(request), checkout);
    return null;
  }

  /** The checkout if it can be paid. Otherwise answers with a page that says why not, and returns null. */
  async #payable(request: Request, response: Response): Promise<Checkout | null> {
    const checkout = await this.#read(request, response);
    if (checkout === null || checkout.payable) return checkout;
    this.#deadEnd(response, this.#look(request), deadEndOf(checkout), checkout);
    return null;
  }

  #showForm(request: Request, response: Response, checkout: Checkout, state: FormState): void {
    const look = this.#look(request);
    const hasCard = checkout.payment_methods.some((method) => methodPage(method).needs.card);
    sendPage(response, look, {
      title: `${checkout.title} · ${checkout.merchant_name}`,
      summary: summaryHtml(checkout, look.words),
      main: checkoutForm(checkout, methodWords(checkout, look.words), state),
      brandColor: checkout.brand_color,
      isPayable: true,
      scripts: hasCard ? FORM_SCRIPTS : FORM_SCRIPTS.slice(1),
    });
  }

  #deadEnd(response: Response, look: Look, kind: DeadEnd, checkout?: Checkout): void {
    const { title, advice } = deadEndNotice(response.req.method, kind, look.words);
    const notice = noticeHtml(ICONS.stop, title, advice, undefined, checkout === undefined);
    response.status(STATUS_OF[kind] ?? 200);
    sendPage(response, look, {
      title,
      main: checkout === undefined ? notice : deadEndHtml(checkout.hash, kind, look.words, notice),
      ...(checkout && {
        summary: summaryHtml(checkout, look.words),
        brandColor: checkout.brand_color,
        scripts: DEAD_END_SCRIPTS,
      }),
      ...(kind === 'taken' && { refresh_s: REFRESH_S }),
    });
  }

  #look(request: Request): Look {
    const nonce = randomBytes(16).toString('base64');
    return { words: wordsFor(request.headers['accept-language']), nonce, isSandbox: this.#options.isSandbox };
  }
}

/** With the payments that this browser has sent from the page, which the script shows. */
function deadEndHtml(page: string, kind: DeadEnd, words: Words, notice: Html): Html {
  const { sentCard, sentLost } = words.page;
  const sent = html`<p id="sent" class="open" role="status" data-card="${sentCard}" data-lost="${sentLost}" hidden></p>`;
  return html`<div id="dead-end" data-page="${page}" data-reason="${kind}">${sent}${openPaymentHtml(words)}${notice}</div>`;
}

function deadEndOf({ reason }: Checkout): DeadEnd {
  return reason ?? 'unavailable';
}

/** A form that could not be answered is sent again by a reload. A page that is opened again would have a new key. */
function deadEndNotice(method: string, kind: DeadEnd, { deadEnds, unavailable }: Words): Notice {
  const isSentAgain = method === 'POST' && (kind === 'tooMany' || kind === 'down');
  return isSentAgain ? { title: unavailable.title, advice: unavailable.sent } : deadEnds[kind];
}

function newForm(): FormState {
  return { key: randomUUID(), values: {}, wrong: [], failure: null };
}

const KEY = /^[\w-]{16,64}$/;

/** The fields of a form that was sent. */
function formOf(body: unknown): Omit<FormPayment, 'checkout' | 'language'> {
  const sent = (body ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) =>
    typeof sent[name] === 'string' ? (sent[name] as string).slice(0, 1_000) : '';
  const key = KEY.test(text('key')) ? text('key') : randomUUID();
  const price = /^\d{1,10}$/.test(text('price')) ? Number(text('price')) : null;
  return {
    key,
    price,
    terms: text('terms').slice(0, 64),
    values: Object.fromEntries(FIELDS.map((field) => [field, text(field)])),
  };
}
