// Also runs in the browser.

/** What a payment method needs in the form. */
interface MethodNeeds {
  /** A card is encrypted in the browser. */
  readonly card: boolean;
  readonly installments: boolean;
  /** CPF or CNPJ. */
  readonly document: boolean;
  readonly address: boolean;
}

const NOTHING: MethodNeeds = { card: false, installments: false, document: false, address: false };

const NEEDS: Readonly<Record<string, MethodNeeds>> = {
  pix: NOTHING,
  credit_card: { ...NOTHING, card: true, installments: true },
  debit_card: { ...NOTHING, card: true },
  bank_slip: { ...NOTHING, document: true, address: true },
};

/** What a method needs; nothing if it is unknown. */
export function needsOf(method: string | undefined): MethodNeeds {
  return (Object.hasOwn(NEEDS, method ?? '') && NEEDS[method!]) || NOTHING;
}
