import { pixTxid } from '../../../domain/identifiers.ts';
import type { PaymentMethodModule } from './method.ts';

/** What an order says about its Pix charge. */
interface PixInput {
  /** An ISO 8601 instant. */
  readonly expiresAt?: string;
}

const EXPIRES_AT = 'payment.pix.expiresAt';

/** How long a charge can be paid where the order does not say. */
const DEFAULT_VALIDITY_MS = 30 * 60_000;
const MAX_VALIDITY_MS = 30 * 24 * 60 * 60_000;

export const pix: PaymentMethodModule<'pix', PixInput> = {
  inputField: 'pix',
  check(violations, { expiresAt }, at) {
    if (expiresAt === undefined) return;
    const validity_ms = new Date(expiresAt).getTime() - at.getTime();
    if (!(validity_ms > 0)) violations.add(EXPIRES_AT, 'Must be in the future.');
    if (validity_ms > MAX_VALIDITY_MS) violations.add(EXPIRES_AT, 'Must be at most 30 days ahead.');
  },
  async prepare(deps, merchant, { expiresAt }) {
    return {
      async lock() {},
      details: (at) => ({
        card: null,
        pix: {
          txid: pixTxid(merchant.slot, deps.random),
          qrCode: null,
          qrImage: null,
          expiresAt:
            expiresAt === undefined ? new Date(at.getTime() + DEFAULT_VALIDITY_MS) : new Date(expiresAt),
          endToEndId: null,
        },
      }),
      command: async () => (payment, common) => ({
        ...common,
        kind: 'pix_charge',
        txid: payment.pix!.txid,
        expiresAt: payment.pix!.expiresAt,
      }),
    };
  },
  async findViolations() {},
};
