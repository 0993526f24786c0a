/** By the first digits; the service decides. Elo comes first, because it has numbers in the ranges of others. */
const BRANDS = [
  [
    'Elo',
    /^(4011(78|79)|43(1274|8935)|45(1416|7393|763[12])|50(4175|6699|67[0-7]|9)|627780|63(6297|6368)|65(003[1-3]|00(3[5-9]|4|5[01])|05|16(5[2-9]|[67])|50))/,
  ],
  ['Hipercard', /^(606282|3841)/],
  ['Amex', /^3[47]/],
  ['Diners Club', /^3(0[0-5]|[68])/],
  ['JCB', /^35(2[89]|[3-8])/],
  ['Discover', /^6(011|4[4-9]|5)/],
  ['Mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
  ['Visa', /^4/],
];

/** The name of the brand of a card number, as far as it is typed; empty if it is unknown. */
export function cardBrand(number) {
  const digits = number.replaceAll(/\D/g, '');
  return BRANDS.find(([, start]) => start.test(digits))?.[0] ?? '';
}
