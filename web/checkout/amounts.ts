// Also runs in the browser.

/** An amount of centavos as `R$ 1.234,56` or, in English, `R$1,234.56`. */
export function shownAmount(amount_centavos: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' }).format(amount_centavos / 100);
}

/** Digits, also in groups of three, with up to two decimals, and nothing else: what is not understood must not be paid. */
const TYPED = /^(?:R\$|BRL)?\s*(\d+|\d{1,3}(?:[.,\s]\d{3})+)(?:[.,](\d{0,2}))?$/i;

/** The centavos of an amount that a buyer typed: `50`, `50,5`, `1.234,56`, `1,234.56`, `R$ 50`. Null if it is none. */
export function typedAmount(text: string): number | null {
  const [, whole = '', decimals = ''] = TYPED.exec(text.trim()) ?? [];
  const digits = whole.replaceAll(/\D/g, '');
  if (digits === '' || digits.length > 8) return null;
  return Number(digits) * 100 + Number(decimals.padEnd(2, '0'));
}
