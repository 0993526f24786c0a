import type { Balance } from '../../domain/ledger/balance.ts';
import type { components } from '../../generated/types.ts';

export function balanceAnswer(balance: Balance): components['schemas']['Balance'] {
  return { available: balance.available_centavos, pending: balance.pending_centavos, currency: 'BRL' };
}
