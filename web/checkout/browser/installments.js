import { installmentDetails, installmentOptionText } from '../installment-words.ts';
import { request } from './request.js';

const TYPING_PAUSE_MS = 350;

/** The choice of installments. A page with a typed amount reads its options when the amount is typed. */
export class Installments {
  #select;
  #choices;
  #words;
  #hash;
  #isTyped;
  #changed;
  #timer;
  /** The typed amount. */
  #amount;
  /** The promise of its options, while they are read. */
  #reading = null;
  /** The number that the buyer has chosen, also if the amount has no such option at the moment. */
  #wanted = '1';

  constructor(form, { hash, installments, rules, words }, changed) {
    this.#select = form.querySelector('#installments');
    this.#choices = installments;
    this.#words = words;
    this.#hash = hash;
    this.#isTyped = rules.amount === null;
    this.#changed = () => {
      this.#showDetails();
      changed();
    };
    this.#select?.addEventListener('change', () => {
      this.#wanted = this.#select.value;
      this.#changed();
    });
    this.#showDetails();
  }

  /** The option that is chosen; undefined if there are none. */
  chosen() {
    const number = Number(this.#select?.value ?? 1);
    return this.#choices.find(({ installments }) => installments === number);
  }

  /**
   * Waits for the options of a typed amount. Returns the name of a failure if they cannot be read, or if the buyer has
   * not seen what would be charged.
   */
  async failure() {
    if (this.#select === null || this.#choices.length > 0) return undefined;
    await this.#read();
    const chosen = this.chosen();
    if (chosen === undefined) return 'network';
    const isExpected = String(chosen.installments) === this.#wanted && chosen.interest_amount === 0;
    return isExpected ? undefined : 'priceChanged';
  }

  get #texts() {
    return { ...this.#words.installments, locale: this.#words.locale };
  }

  #showDetails() {
    const place = document.getElementById('installment-details');
    const chosen = this.chosen();
    if (place !== null)
      place.textContent = chosen === undefined ? '' : installmentDetails(chosen, this.#texts);
  }

  set(choices) {
    this.#choices = choices;
    if (this.#select === null) return;
    this.#select.replaceChildren(
      ...choices.map(
        (choice) => new Option(installmentOptionText(choice, this.#texts), String(choice.installments)),
      ),
    );
    const hasWanted = choices.some(({ installments }) => String(installments) === this.#wanted);
    this.#select.value = hasWanted ? this.#wanted : '1';
    this.#select.disabled = choices.length === 0;
    this.#changed();
  }

  amountChanged(amount) {
    if (!this.#isTyped || this.#select === null || amount === this.#amount) return;
    this.#amount = amount;
    this.#reading = null;
    clearTimeout(this.#timer);
    const isReadable = amount !== null && amount > 0;
    this.#select.setAttribute('aria-busy', String(isReadable));
    this.set([]);
    if (isReadable) this.#timer = setTimeout(() => this.#read(), TYPING_PAUSE_MS);
  }

  #read() {
    clearTimeout(this.#timer);
    this.#reading ??= this.#readOptions(this.#amount);
    return this.#reading;
  }

  async #readOptions(amount) {
    const response = await request(`/api/v1/checkout/${this.#hash}?amount=${amount}`);
    const checkout = response?.ok ? await response.json().catch(() => null) : null;
    if (amount !== this.#amount) return;
    this.#reading = null;
    this.#select.setAttribute('aria-busy', 'false');
    if (checkout !== null) this.set(checkout.installments);
  }
}
