// Also runs in the browser.

/** What a payment method needs in the form. */
export interface MethodNeeds {
  /** A card is encrypted in the browser. */
  readonly card: boolean;
  readonly installments: boolean;
  /** CPF or CNPJ. */
  readonly document: boolean;
  readonly address: boolean;
}

/** By payment method. */
export type NeedsByMethod = Readonly<Record<string, MethodNeeds>>;

export const NOTHING: MethodNeeds = { card: false, installments: false, document: false, address: false };

/** What a method needs; nothing if it is unknown. */
export function needsOf(needs: NeedsByMethod, method: string | undefined): MethodNeeds {
  return (Object.hasOwn(needs, method ?? '') && needs[method!]) || NOTHING;
}
