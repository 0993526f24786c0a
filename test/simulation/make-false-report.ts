import type { NotificationType } from '../../domain/payments/acquirer-notification.ts';
import type { WireNotification } from '../../gateway/wire.ts';
import { notification } from '../support/notifications.ts';
import type { Shop } from '../support/shop.ts';
import type { Falsehood } from './false-reports.ts';

interface Operation {
  reference: string;
  kind: 'authorize' | 'pix_charge' | 'capture' | 'cancel' | 'refund';
  state: 'pending' | 'approved' | 'refused';
  amount: number;
  refusal_code: string | null;
}

interface Ours {
  status: string;
  method: 'credit_card' | 'pix';
  amount: number;
  operations: Operation[];
}

/** Results of each kind of operation. The result of a charge is not notified; its update is. */
const RESULTS: Readonly<Record<Operation['kind'], readonly NotificationType[]>> = {
  authorize: ['authorization.approved', 'authorization.refused'],
  pix_charge: [],
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
const UPDATES: Readonly<Record<'credit_card' | 'pix', readonly NotificationType[]>> = {
  credit_card: ['authorization.fraud_detected', ...CHARGEBACKS],
  pix: ['pix.paid', 'pix.refused', 'pix.expired', ...CHARGEBACKS],
};

/** What our records say now. They contradict a false report. */
async function oursOf({ service, account }: Shop, paymentId: string): Promise<Ours> {
  const [ours] = await service.rows<Ours>(
    `select status, method, amount_centavos as amount, (
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
  const beginning = ours.operations.find(({ kind }) => kind === 'authorize' || kind === 'pix_charge')!;
  const operation = choose(ours.operations)!;
  const isBeginning = operation === beginning;
  const fitting = [...RESULTS[operation.kind], ...(isBeginning ? UPDATES[ours.method] : [])];
  switch (falsehood) {
    case 'amount':
      return report(choose(fitting), operation, { amount_centavos: otherAmount(ours, operation, pick) });
    case 'no amount':
      return report(choose(fitting), operation, { amount_centavos: null });
    case 'no method':
      return report(choose(fitting), operation, { method: null });
    case 'method': {
      const other = ours.method === 'pix' ? 'credit_card' : 'pix';
      const ofOther = UPDATES[other].filter((type) => !CHARGEBACKS.includes(type));
      return pick % 2 === 0
        ? report(choose(ofOther), beginning)
        : report(choose(fitting), operation, { method: other });
    }
    case 'operation': {
      const others = ours.method === 'pix' ? ['refund.approved'] : ['capture.approved', 'refund.refused'];
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
      return isOpen ? undefined : report(choose(IMPOSSIBLE[ours.method][ours.status] ?? []), beginning);
    }
  }
}

const REFUSAL = { code: 'do_not_honor', message: 'No.', retryable: true };

/** Above what a chargeback can be about, too. */
function otherAmount({ amount: whole }: Ours, { amount }: Operation, pick: number): number {
  return pick % 3 === 0 ? 0 : whole + amount + (pick % 7);
}

/** After suspected fraud, an approval of the authorization may still arrive. */
function isFinal({ state, kind, refusal_code }: Operation): boolean {
  if (state === 'pending' || kind === 'pix_charge') return false;
  return !(kind === 'authorize' && refusal_code === 'fraud');
}

type Impossible = Readonly<Record<string, readonly NotificationType[]>>;

/** Updates that a payment in its last status cannot have. */
const IMPOSSIBLE: Readonly<Record<'credit_card' | 'pix', Impossible>> = {
  credit_card: {
    refused: ['chargeback.requested', 'chargeback.lost', 'cancel.approved'],
    canceled: ['chargeback.requested', 'authorization.fraud_detected'],
    paid: ['authorization.fraud_detected', 'cancel.approved'],
    refunded: ['authorization.fraud_detected', 'cancel.approved'],
  },
  pix: {
    refused: ['pix.paid', 'pix.expired', 'chargeback.requested'],
    canceled: ['pix.paid', 'pix.expired', 'pix.refused', 'chargeback.lost'],
    paid: ['pix.refused', 'pix.expired', 'cancel.approved'],
    expired: ['cancel.approved'],
  },
};
