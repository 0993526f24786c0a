import type { CardBrand } from '../../cards/card-number.ts';
import type { MethodRules } from './method.ts';

/** The data of a card payment. */
export interface CardDetails {
  readonly cardId: string;
  readonly brand: CardBrand;
  readonly first6: string;
  readonly last4: string;
  readonly statementDescriptor: string | null;
  readonly manualCapture: boolean;
  /** Null until the acquirer has approved the authorization. */
  readonly authorizationCode: string | null;
}

export const creditCard: MethodRules<CardDetails> = {
  firstOperation: 'authorize',
  notifiedAs: 'authorization',
  capturesOnApproval: ({ manualCapture }) => !manualCapture,
  transferId: () => null,
};
