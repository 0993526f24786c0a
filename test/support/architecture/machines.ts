import type { Client } from 'pg';

/** A function that writes a state, and its file. */
interface Writer {
  readonly write: string;
  readonly statement: string;
  /** The files that call it, if they are not the mover. */
  readonly callers?: readonly string[];
}

/** Who may write the state of each machine: one statement, and one service that calls it. */
export interface Machine extends Writer {
  readonly table: string;
  /** The column of the state first, then those that change with it. */
  readonly columns: readonly [string, ...string[]];
  /** Other writers that the service calls, such as one that inserts rows in the state after their first move. */
  readonly others?: readonly Writer[];
  /** The files that insert rows with their first state, if they are not those of a writer. */
  readonly inserts?: readonly string[];
  readonly mover: string;
}

export const MACHINES: readonly Machine[] = [
  {
    table: 'payments',
    columns: [
      'status',
      'pending_operation',
      'captured_centavos',
      'refunding_centavos',
      'refunded_centavos',
      'history',
      'due_at',
      'split',
      'fee_centavos',
      'captured_on',
    ],
    write: 'movePaymentRow',
    statement: 'db/payments/move-payment-row.ts',
    others: [
      {
        write: 'postponeDueRows',
        statement: 'db/due-rows.ts',
        callers: [
          'services/payments/run-due-payments.ts',
          'services/payments/methods/mandates/run-due-mandates.ts',
          'services/clock/stalled-work.ts',
        ],
      },
    ],
    inserts: ['db/payments/insert-payment.ts', 'db/orders/place-order.ts'],
    mover: 'services/payments/move-payment.ts',
  },
  {
    table: 'refunds',
    columns: ['status'],
    write: 'moveRefundRow',
    statement: 'db/payments/refunds.ts',
    mover: 'services/payments/settle-refund.ts',
  },
  {
    table: 'mandates',
    columns: ['state', 'charge_code', 'cancellation_code'],
    write: 'moveMandateRow',
    statement: 'db/payments/mandates.ts',
    mover: 'services/payments/methods/mandates/move-mandate.ts',
  },
  {
    table: 'payment_operations',
    columns: ['state'],
    write: 'moveOperationRow',
    statement: 'db/payments/payment-operations.ts',
    inserts: ['db/orders/place-order.ts'],
    mover: 'services/payments/apply-report.ts',
  },
  {
    table: 'discrepancies',
    columns: ['status', 'note', 'closed_at'],
    write: 'moveDiscrepancyRow',
    statement: 'db/payments/discrepancies.ts',
    mover: 'services/payments/move-discrepancy.ts',
  },
  {
    table: 'disputes',
    columns: ['status', 'amount_centavos', 'decided_at'],
    write: 'moveDisputeRow',
    statement: 'db/disputes/disputes.ts',
    mover: 'services/disputes/follow-payments.ts',
  },
  {
    table: 'dispute_evidence',
    columns: ['state'],
    write: 'moveEvidenceRow',
    statement: 'db/disputes/evidence.ts',
    mover: 'services/disputes/run-evidence.ts',
  },
  {
    table: 'cards',
    columns: ['network_token_status'],
    write: 'moveTokenRow',
    statement: 'db/cards/network-tokens.ts',
    inserts: ['db/cards/cards.ts'],
    mover: 'services/cards/move-network-token.ts',
  },
  {
    table: 'api_keys',
    columns: ['status'],
    write: 'moveApiKeyRow',
    statement: 'db/merchants/api-keys.ts',
    mover: 'services/merchants/change-api-key.ts',
  },
  {
    table: 'merchants',
    columns: ['status'],
    write: 'updateMerchant',
    statement: 'db/merchants/merchants.ts',
    mover: 'services/merchants/change-merchant.ts',
  },
  {
    table: 'webhook_endpoints',
    columns: ['status'],
    write: 'moveEndpointRow',
    statement: 'db/webhooks/move-endpoint-row.ts',
    inserts: ['db/webhooks/endpoints.ts'],
    mover: 'services/webhooks/move-endpoint.ts',
  },
  {
    table: 'webhook_deliveries',
    columns: ['status'],
    write: 'moveDeliveryRows',
    statement: 'db/webhooks/move-delivery-rows.ts',
    others: [
      { write: 'dropDeliveryRows', statement: 'db/webhooks/move-delivery-rows.ts' },
      { write: 'insertFirstResults', statement: 'db/webhooks/first-results.ts' },
      { write: 'dropUnsentDeliveries', statement: 'db/webhooks/unsent-deliveries.ts' },
    ],
    mover: 'services/webhooks/move-delivery.ts',
  },
  {
    table: 'offers',
    columns: ['state'],
    write: 'moveOfferRow',
    statement: 'db/products/offers.ts',
    mover: 'services/products/move-offer.ts',
  },
  {
    table: 'payment_links',
    columns: ['state'],
    write: 'movePaymentLinkRow',
    statement: 'db/links/payment-links.ts',
    mover: 'services/links/move-payment-link.ts',
  },
  {
    table: 'payment_link_logos',
    // A lease changes `due_at` without a move. The status follows from these columns.
    columns: ['version', 'content_type', 'bytes', 'problem_code', 'problem_message'],
    write: 'moveLogoRow',
    statement: 'db/links/logos.ts',
    mover: 'services/links/move-logo.ts',
  },
  {
    table: 'payment_link_places',
    columns: ['state'],
    write: 'movePlaceRow',
    statement: 'db/links/places.ts',
    mover: 'services/links/places.ts',
  },
  {
    table: 'emails',
    columns: ['status', 'sent_at', 'content'],
    write: 'moveEmailRow',
    statement: 'db/emails/move-email-row.ts',
    inserts: ['db/emails/emails.ts'],
    mover: 'services/emails/move-email.ts',
  },
  {
    table: 'wallet_domains',
    columns: ['status', 'failed_checks', 'verified_at'],
    write: 'moveWalletDomainRow',
    statement: 'db/wallet/wallet-domains.ts',
    mover: 'services/wallet/move-domain.ts',
  },
  {
    table: 'subscriptions',
    // A step can be postponed without a move, so `due_at` is not listed.
    columns: ['status', 'paid_cycles', 'open_cycle', 'credit_centavos', 'due_step', 'ended_at'],
    write: 'moveSubscriptionRow',
    statement: 'db/subscriptions/move-subscription-row.ts',
    inserts: ['db/subscriptions/subscriptions.ts'],
    mover: 'services/subscriptions/move-subscription.ts',
  },
  {
    table: 'subscription_invoices',
    columns: ['status', 'amount_centavos', 'credit_centavos', 'paid_at'],
    write: 'moveInvoiceRow',
    statement: 'db/subscriptions/invoices.ts',
    others: [{ write: 'openInvoice', statement: 'db/subscriptions/invoices.ts' }],
    mover: 'services/subscriptions/move-subscription.ts',
  },
];

/** Columns with a state that no machine of `MACHINES` moves, and why. */
const STATES_WITHOUT_MACHINE: Readonly<Record<string, string>> = {
  'recipients.status': 'the merchant sets it like any other field, from any value to any other',
  'idempotency_keys.response_status': 'is the HTTP status of a stored answer, which never changes',
  'payment_operation_results.state':
    'repeats the state of the operation, for a foreign key, and never changes',
  'payment_operation_results.refund_status':
    'repeats the status of the refund, for a foreign key, and never changes',
  'simulator.operations.status': 'belongs to the simulated acquirer',
  'simulator.payments.state': 'belongs to the simulated acquirer',
  'simulator.dispute_changes.state': 'belongs to the simulated acquirer',
};

/** Names columns with a state, and those of machines and excuses that do not exist. */
export async function unlistedStates(client: Pick<Client, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select case table_schema when 'public' then '' else table_schema || '.' end
              || table_name || '.' || column_name as name
       from information_schema.columns
      where table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const all = rows.map(({ name }) => name);
  const listed = MACHINES.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  const known = [...listed, ...Object.keys(STATES_WITHOUT_MACHINE)];
  return [
    ...all.filter((name) => /[._](status|state)$/.test(name) && !known.includes(name)),
    ...known.filter((name) => !all.includes(name)).map((name) => `${name} does not exist`),
  ].sort();
}

/** All functions that write the state of a machine. */
export function writersOf(machine: Machine): readonly Writer[] {
  return [machine, ...(machine.others ?? [])];
}

/** The files of the statements that write the state of a machine. */
export function statementsOf(machine: Machine): readonly string[] {
  return writersOf(machine).map(({ statement }) => statement);
}

/** The files that may call a writer of a machine. */
export function callersOf({ mover }: Machine, { callers = [mover] }: Writer): readonly string[] {
  return callers;
}
