import { cardContext } from '../../services/cards/card-context.ts';
import { type Area, sealedColumn } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { networkTokens } from './network-tokens.ts';
import { expiredSecurityCodes } from './security-codes.ts';

export const cards: Area = {
  jobs: (deps) => [
    slotJob(deps, { name: 'network tokens', interval_ms: 1_000 }, networkTokens(deps)),
    slotJob(deps, { name: 'security codes', interval_ms: 10_000 }, expiredSecurityCodes(deps)),
  ],
  sealedColumns: [
    sealedColumn('cards', 'number_sealed', 'id', cardContext.number),
    sealedColumn('cards', 'network_token_sealed', 'id', cardContext.networkToken),
    sealedColumn('card_security_codes', 'code_sealed', 'card_id', cardContext.securityCode),
  ],
  merchantTables: [
    { table: 'cards', countedAs: 'cards', countedIf: 'deleted_at is null', lockedBy: 'id' },
    { table: 'card_security_codes' },
  ],
};
