import type { components } from '../../generated/types.ts';
import type { Balance } from '../../services/ledger/get-balance.ts';

export function balanceAnswer(balance: Balance): components['schemas']['Balance'] {
  return { available: balance.available_centavos, pending: balance.pending_centavos, currency: 'BRL' };
}
