/* global Centavo */
import { cardProblems, showCardBrand, typedCard } from './card-fields.js';

/** The inputs of a card. They have no names, and their values leave the page only encrypted. */
export class CardForm {
  #form;
  #box;
  #key;
  #words;

  /** Undefined if the page has no cards. */
  static of(form, { key, words }) {
    const box = form.querySelector('#card');
    return box === null ? undefined : new CardForm(form, box, key, words);
  }

  constructor(form, box, key, words) {
    this.#form = form;
    this.#box = box;
    this.#key = key;
    this.#words = words;
    for (const place of form.querySelectorAll('.card-place')) place.hidden = false;
    for (const sentence of form.querySelectorAll('.needs-script')) sentence.remove();
    showCardBrand();
  }

  /** False if the library was not loaded. */
  get canEncrypt() {
    return globalThis.Centavo !== undefined;
  }

  setKey(key) {
    this.#key = key;
  }

  /** Moves the inputs to the panel of the method, if it is a card. */
  show(method) {
    const place = this.#form.querySelector(`.panel[data-method="${method}"] .card-place`);
    if (place !== null && !place.contains(this.#box)) place.prepend(this.#box);
  }

  values() {
    return typedCard();
  }

  /** Input → sentence. */
  problems(card) {
    return cardProblems(card, this.#words.problems);
  }

  encrypt(card) {
    return Centavo.encryptCard(card, this.#key);
  }
}
