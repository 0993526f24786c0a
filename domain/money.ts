/** Whether a value is an amount: integer centavos, not negative, exact in a number. */
export function isCentavos(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
