// Also runs in the browser.

/** An amount of centavos as `R$ 1.234,56` or, in English, `R$1,234.56`. */
export function shownAmount(amount_centavos: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' }).format(amount_centavos / 100);
}

const THOUSANDS = { pt: '.', en: ',' } as const;

/**
 * Digits, also in groups of three, with up to two decimals and the currency, and nothing else: what is not understood
 * must not be paid.
 */
const TYPED =
  /^(?:R\$|BRL)?\s*(\d+|\d{1,3}([.,\s])\d{3}(?:\2\d{3})*)(?:([.,])(\d{0,2}))?(?:\s*rea(?:l|is))?$/i;

/**
 * The centavos of an amount that a buyer typed: `50`, `50,5`, `1.234,56`, `1,234.56`, `R$ 50`. Null if it is none, and
 * if it is not clear: `10,005` can be a slip for ten reais, so it is ten thousand only where a comma separates
 * thousands.
 */
export function typedAmount(text: string, language: 'pt' | 'en'): number | null {
  const [, whole = '', separator, point, decimals = ''] = TYPED.exec(text.trim()) ?? [];
  const digits = whole.replaceAll(/\D/g, '');
  if (digits === '' || digits.length > 8) return null;
  if (separator !== undefined && separator === point) return null;
  const isUnclear = /^\d+[.,]\d+$/.test(whole) && point === undefined;
  if (isUnclear && separator !== THOUSANDS[language]) return null;
  return Number(digits) * 100 + Number(decimals.padEnd(2, '0'));
}
