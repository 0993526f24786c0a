// Also runs in the browser.

/** An amount of centavos as `R$ 1.234,56` or, in English, `R$1,234.56`. */
export function shownAmount(amount_centavos: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' }).format(amount_centavos / 100);
}

/** The centavos of an amount that a buyer typed: `50`, `50,5`, `1.234,56`, `1,234.56`, `R$ 50`. Null if it is none. */
export function typedAmount(text: string): number | null {
  const typed = text.replaceAll(/[^\d.,]/g, '');
  const [, whole = '', decimals = ''] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(typed) ?? [];
  const digits = whole.replaceAll(/[.,]/g, '');
  if (digits === '' || digits.length > 8) return null;
  return Number(digits) * 100 + Number(decimals.padEnd(2, '0'));
}
