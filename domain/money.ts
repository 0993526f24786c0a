/** Whether a value is an amount: integer centavos, not negative, exact in a number. */
export function isCentavos(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The sum of integer centavos. Throws a RangeError where a number would no longer be exact. */
export function sumCentavos(amounts: Iterable<number>): number {
  let sum = 0;
  for (const amount of amounts) sum = exact(sum + exact(amount));
  return sum;
}

/** Centavos as the database hands them out (bigint travels as text). Throws a RangeError unless exact. */
export function centavosOf(text: string): number {
  if (!/^-?[0-9]+$/.test(text)) throw new RangeError('Not integer centavos.');
  return exact(Number(text));
}

/** `R$ 1.234,56` as Brazilians write it, with a no-break space. */
export function formatBrl(amount_centavos: number): string {
  const digits = String(Math.abs(exact(amount_centavos))).padStart(3, '0');
  const reais = digits.slice(0, -2).replace(/\B(?=(?:[0-9]{3})+$)/g, '.');
  return `${amount_centavos < 0 ? '-' : ''}R$\u00a0${reais},${digits.slice(-2)}`;
}

function exact(amount_centavos: number): number {
  if (!Number.isSafeInteger(amount_centavos)) throw new RangeError('Not integer centavos, or too many.');
  return amount_centavos;
}
