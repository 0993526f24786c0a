import type { NotificationType } from '../../domain/payments/acquirer-notification.ts';
import type { WireNotification } from '../../gateway/wire.ts';
import { notification } from '../support/payments/notifications.ts';
import type { Shop } from '../support/shop.ts';
import type { Falsehood } from './false-reports.ts';

interface Operation {
  reference: string;
  kind: 'authorize' | 'pix_charge' | 'bank_slip_charge' | 'capture' | 'cancel' | 'refund';
  state: 'pending' | 'approved' | 'refused';
  amount: number;
  refusal_code: string | null;
}

const METHODS = ['credit_card', 'debit_card', 'browser_wallet', 'pix', 'bank_slip'] as const;
type Method = (typeof METHODS)[number];

/** The methods whose notifications have the same types. */
type Family = 'authorization' | 'pix' | 'bank_slip';

function familyOf(method: Method): Family {
  return method === 'pix' || method === 'bank_slip' ? method : 'authorization';
}

interface Ours {
  status: string;
  method: Method;
  amount: number;
  captured: number;
  operations: Operation[];
}

/** Results of each kind of operation. The result of a charge is not notified; its update is. */
const RESULTS: Readonly<Record<Operation['kind'], readonly NotificationType[]>> = {
  authorize: ['authorization.approved', 'authorization.refused'],
  pix_charge: [],
  bank_slip_charge: [],
  capture: ['capture.approved', 'capture.refused'],
  cancel: ['cancel.approved', 'cancel.refused'],
  refund: ['refund.approved', 'refund.refused'],
};

const CHARGEBACKS: readonly NotificationType[] = [
  'chargeback.requested',
  'chargeback.dispute',
  'chargeback.won',
  'chargeback.lost',
];
const UPDATES: Readonly<Record<Family, readonly NotificationType[]>> = {
  authorization: ['authorization.fraud_detected', ...CHARGEBACKS],
  pix: ['pix.paid', 'pix.refused', 'pix.expired', ...CHARGEBACKS],
  bank_slip: ['bank_slip.paid', 'bank_slip.refused', 'bank_slip.expired'],
};

/** What our records say now. They contradict a false report. */
async function oursOf({ service, account }: Shop, paymentId: string): Promise<Ours> {
  const [ours] = await service.rows<Ours>(
    `select status, method, amount_centavos as amount, captured_centavos as captured, (
       select json_agg(json_build_object('reference', o.reference, 'kind', o.kind, 'state', o.state,
                                         'amount', o.amount_centavos, 'refusal_code', o.refusal_code))
         from payment_operations o where o.payment_id = p.id) as operations
       from payments p where merchant_id = :account and id = :id`,
    { account, id: paymentId },
  );
  return ours!;
}

/** A report that cannot be true of the payment as it is; undefined where there is none of this sort. */
export async function makeFalseReport(
  shop: Shop,
  paymentId: string,
  falsehood: Falsehood,
  pick: number,
): Promise<WireNotification | undefined> {
  const ours = await oursOf(shop, paymentId);
  const choose = <One>(many: readonly One[]): One | undefined => many[pick % (many.length || 1)];
  const report = (
    type: NotificationType | undefined,
    operation: Operation | undefined,
    fields: object = {},
  ) =>
    type === undefined || operation === undefined
      ? undefined
      : notification(shop.account, operation.reference, type, {
          method: ours.method,
          amount_centavos: operation.amount,
          refusal: type.endsWith('refused') ? REFUSAL : null,
          ...fields,
        });
  const beginning = ours.operations.find(({ kind }) => isBeginning(kind))!;
  const family = familyOf(ours.method);
  const operation = choose(ours.operations)!;
  const updates = operation === beginning ? UPDATES[family] : [];
  const fitting = [...RESULTS[operation.kind], ...updates];
  switch (falsehood) {
    case 'amount':
      return report(choose(fitting), operation, { amount_centavos: otherAmount(ours, operation, pick) });
    case 'no amount':
      return report(choose(fitting), operation, { amount_centavos: null });
    case 'no method':
      return report(choose(fitting), operation, { method: null });
    case 'method': {
      const other = choose(METHODS.filter((method) => method !== ours.method))!;
      const ofOther = UPDATES[familyOf(other)].filter((type) => !CHARGEBACKS.includes(type));
      return pick % 2 === 0 && familyOf(other) !== family
        ? report(choose(ofOther), beginning)
        : report(choose(fitting), operation, { method: other });
    }
    case 'operation': {
      const others =
        family === 'authorization' ? ['capture.approved', 'refund.refused'] : ['refund.approved'];
      const wrong = (others as NotificationType[]).filter((type) => !RESULTS[operation.kind].includes(type));
      return report(choose(wrong), operation);
    }
    case 'contrary': {
      const settled = choose(ours.operations.filter(isFinal));
      const [approved, refused] = settled === undefined ? [] : RESULTS[settled.kind];
      return report(settled?.state === 'approved' ? refused : approved, settled);
    }
    case 'impossible': {
      // While an outcome is open, an update that does not fit waits for it.
      const isOpen = ours.operations.some(({ kind, state }) => kind !== 'refund' && state === 'pending');
      // Later than all that has happened: a late report of something that is over would be true.
      const occurred_at = new Date(Date.now() + 86_400_000).toISOString();
      const type = choose(IMPOSSIBLE[family][ours.status] ?? []);
      return isOpen ? undefined : report(type, beginning, { occurred_at });
    }
    case 'second payment':
      // The transfer of a Pix has an id. A boleto is paid at another time.
      if (family === 'authorization' || ours.captured === 0) return undefined;
      return report(`${family}.paid`, beginning, { end_to_end_id: family === 'pix' ? OTHER_TRANSFER : null });
  }
}

const OTHER_TRANSFER = 'E00000000202601010000aaaaaaaaaaa';
const REFUSAL = { code: 'do_not_honor', message: 'No.', retryable: true };

/** Above what a chargeback can be about, too. */
function otherAmount({ amount: whole }: Ours, { amount }: Operation, pick: number): number {
  return pick % 3 === 0 ? 0 : whole + amount + (pick % 7);
}

function isBeginning(kind: Operation['kind']): boolean {
  return kind === 'authorize' || kind.endsWith('_charge');
}

/** After suspected fraud, an approval of the authorization may still arrive. */
function isFinal({ state, kind, refusal_code }: Operation): boolean {
  if (state === 'pending' || kind.endsWith('_charge')) return false;
  return !(kind === 'authorize' && refusal_code === 'fraud');
}

type Impossible = Readonly<Record<string, readonly NotificationType[]>>;

/** Updates that a payment in its last status cannot have. */
const IMPOSSIBLE: Readonly<Record<Family, Impossible>> = {
  authorization: {
    refused: ['chargeback.requested', 'chargeback.lost', 'cancel.approved'],
    canceled: ['chargeback.requested', 'authorization.fraud_detected'],
    paid: ['authorization.fraud_detected', 'cancel.approved'],
    refunded: ['authorization.fraud_detected', 'cancel.approved', 'chargeback.requested'],
  },
  pix: {
    refused: ['pix.paid', 'pix.expired', 'chargeback.requested'],
    canceled: ['pix.paid', 'pix.expired', 'pix.refused', 'chargeback.lost'],
    paid: ['pix.refused', 'pix.expired', 'cancel.approved'],
    refunded: ['pix.refused', 'pix.expired', 'cancel.approved', 'chargeback.requested'],
    expired: ['cancel.approved'],
  },
  // A boleto can be paid after it expired, and nobody can dispute it.
  bank_slip: {
    refused: ['bank_slip.paid', 'bank_slip.expired', ...CHARGEBACKS],
    canceled: ['bank_slip.paid', 'bank_slip.expired', 'bank_slip.refused'],
    paid: ['bank_slip.refused', 'cancel.approved', ...CHARGEBACKS],
    refunded: ['bank_slip.refused', 'cancel.approved', ...CHARGEBACKS],
    expired: ['cancel.approved', ...CHARGEBACKS],
  },
};
