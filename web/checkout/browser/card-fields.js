/* global Centavo */
import { cardBrand } from './card-brands.js';

const FIELD_IDS = {
  number: 'card-number',
  holder: 'card-holder',
  expMonth: 'card-expiry',
  expYear: 'card-expiry',
  securityCode: 'card-code',
};

/** What is typed in the inputs of the card, as the library takes it. */
export function typedCard() {
  const [month = '', year = ''] = inputValue('card-expiry').split('/');
  return {
    number: inputValue('card-number'),
    holder: inputValue('card-holder'),
    expMonth: month.trim(),
    expYear: year.trim(),
    securityCode: inputValue('card-code'),
  };
}

/** Input → sentence. */
export function cardProblems(card, problems) {
  return new Map(
    Centavo.validateCard(card).map(({ field, code }) => {
      const id = FIELD_IDS[field];
      return [id, code === 'expired' ? problems.expired : problems[id]];
    }),
  );
}

/** What is wrong with a card that was refused: input → sentence. Empty if no input is. */
export function refusalProblems(code, problems) {
  if (code === 'invalid_security_code') return new Map([['card-code', problems['card-code']]]);
  return new Map(code === 'expired_card' ? [['card-expiry', problems.expired]] : []);
}

/** Shows the brand while the number is typed. */
export function showCardBrand() {
  const number = document.getElementById('card-number');
  number.addEventListener('input', () => {
    document.getElementById('card-brand').textContent = cardBrand(number.value);
  });
}

function inputValue(id) {
  return document.getElementById(id).value.trim();
}
