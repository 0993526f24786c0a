// Also runs in the browser.

/** An amount of centavos as `R$ 1.234,56` or, in English, `R$1,234.56`. */
export function shownAmount(amount_centavos: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' }).format(amount_centavos / 100);
}

const THOUSANDS = { pt: '.', en: ',' } as const;

/**
 * The centavos of an amount that a buyer typed: `50`, `50,5`, `1.234,56`, `1,234.56`, `R$ 50`. Null if it is none, and if it
 * is not clear: `10,005` can be a slip for ten reais, so it is ten thousand only where a comma separates thousands.
 */
export function typedAmount(text: string, language: 'pt' | 'en'): number | null {
  const [, typed = ''] = /^[^\d.,-]*(\d[\d.,]*)[^\d.,-]*$/.exec(text) ?? [];
  const [, whole = '', point, decimals = ''] = /^(.*?)(?:([.,])(\d{0,2}))?$/.exec(typed) ?? [];
  const digits = whole.replaceAll(/[.,]/g, '');
  if (digits === '' || digits.length > 8) return null;
  if (digits !== whole && !isGrouped(whole, point, language)) return null;
  return Number(digits) * 100 + Number(decimals.padEnd(2, '0'));
}

/** Whether the separators in `whole` are those of thousands. `point`: the one before the decimals, if there are any. */
function isGrouped(whole: string, point: string | undefined, language: 'pt' | 'en'): boolean {
  const [, separator] = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.exec(whole) ?? [];
  if (separator === undefined || separator === point) return false;
  const isUnclear = point === undefined && whole.length <= '123.456'.length;
  return !isUnclear || separator === THOUSANDS[language];
}
