import { installmentDetails, installmentOptionText } from '../installment-words.ts';

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
  #asked;

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
    this.#select?.addEventListener('change', this.#changed);
    this.#showDetails();
  }

  /** The option that is chosen; undefined if there are none. */
  chosen() {
    const number = Number(this.#select?.value ?? 1);
    return this.#choices.find(({ installments }) => installments === number);
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
    const { value } = this.#select;
    this.#select.replaceChildren(
      ...choices.map(
        (choice) => new Option(installmentOptionText(choice, this.#texts), String(choice.installments)),
      ),
    );
    this.#select.value = choices.some(({ installments }) => String(installments) === value) ? value : '1';
    this.#changed();
  }

  amountChanged(amount) {
    if (!this.#isTyped || amount === this.#asked) return;
    this.#asked = amount;
    this.#choices = [];
    clearTimeout(this.#timer);
    if (amount === null || amount === 0 || this.#select === null) return;
    this.#timer = setTimeout(() => this.#read(amount), TYPING_PAUSE_MS);
  }

  async #read(amount) {
    const response = await fetch(`/api/v1/checkout/${this.#hash}?amount=${amount}`).catch(() => null);
    if (!response?.ok || amount !== this.#asked) return;
    this.set((await response.json()).installments);
  }
}
