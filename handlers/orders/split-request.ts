import type { components } from '../../generated/types.ts';
import type { SplitRequest } from '../../services/ledger/resolve-split.ts';

/** A line of a split as a merchant sends it, under its domain names. */
export function splitRequest(line: components['schemas']['SplitLineCreate']): SplitRequest {
  return {
    recipient: line.recipient_id,
    type: line.type,
    value: line.amount,
    bearsFee: line.allow_charge_processing_fee ?? false,
    takesRemainder: line.allow_charge_remainder_fee ?? false,
    isLiable: line.is_liable ?? false,
  };
}
