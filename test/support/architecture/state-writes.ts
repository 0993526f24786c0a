import { type Source, withoutComments } from './sources.ts';

/** Who may write the state of each machine: one statement, and one service that calls it. */
interface Machine {
  readonly table: string;
  /** The column of the state first, then those that change with it. */
  readonly columns: readonly [string, ...string[]];
  /** The function that runs the statement, and its file. */
  readonly write: string;
  readonly statement: string;
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
    mover: 'services/payments/apply-report.ts',
  },
  {
    table: 'disputes',
    columns: ['status', 'amount_centavos', 'decided_at'],
    write: 'moveDisputeRow',
    statement: 'db/disputes/disputes.ts',
    mover: 'services/disputes/follow-payments.ts',
  },
  {
    table: 'cards',
    columns: ['network_token_status'],
    write: 'moveTokenRow',
    statement: 'db/cards/network-tokens.ts',
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
    mover: 'services/webhooks/move-endpoint.ts',
  },
  {
    table: 'webhook_deliveries',
    columns: ['status'],
    write: 'moveDeliveryRows',
    statement: 'db/webhooks/move-delivery-rows.ts',
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
    mover: 'services/subscriptions/move-subscription.ts',
  },
  {
    table: 'subscription_invoices',
    columns: ['status', 'amount_centavos', 'credit_centavos', 'paid_at'],
    write: 'moveInvoiceRow',
    statement: 'db/subscriptions/invoices.ts',
    mover: 'services/subscriptions/move-subscription.ts',
  },
];

/** Updates and upserts: the table, and what is assigned. */
const UPDATES = [
  /\bupdate\s+(\w+)(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b([\s\S]*?)(?=\bwhere\b|\bfrom\b|\breturning\b|['"`]|$)/gi,
  /\binsert\s+into\s+(\w+)\b(?:(?!\binsert\b)[\s\S])*?\bdo\s+update\s+set\b([\s\S]*?)(?=\bwhere\b|\breturning\b|['"`]|$)/gi,
];

/** One sentence for each statement, and each call of one, that writes the state of a machine past its mover. */
export function stateWrites(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(test|scripts)\//.test(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      return MACHINES.flatMap((machine) => [
        ...(path === machine.statement || !writes(code, machine)
          ? []
          : [`${path} writes the state of ${machine.table}: only ${machine.statement} may.`]),
        ...([machine.statement, machine.mover].includes(path) || !calls(code, machine)
          ? []
          : [`${path} calls ${machine.write}: only ${machine.mover} may.`]),
      ]);
    });
}

/** Machines whose statement or mover is not where the list says. */
export function lostMachines(sources: readonly Source[]): string[] {
  const has = (path: string, test: (code: string) => boolean) =>
    sources.some((source) => source.path === path && test(withoutComments(source.text)));
  return MACHINES.filter(
    (machine) =>
      !has(machine.statement, (code) => writes(code, machine)) ||
      !has(machine.mover, (code) => calls(code, machine)),
  ).map(({ table, columns }) => `Nothing moves ${table}.${columns[0]}.`);
}

/** Whether an update of the table assigns one of the columns, or a list of columns that is put together at run time. */
function writes(code: string, { table, columns }: Machine): boolean {
  const assigned = new RegExp(`\\b(${columns.join('|')})\\s*=|\\$\\{`);
  return UPDATES.some((pattern) =>
    [...code.matchAll(pattern)].some(([, name, set]) => name === table && assigned.test(set!)),
  );
}

function calls(code: string, { write }: Machine): boolean {
  return new RegExp(`(?<!function )\\b${write}\\(`).test(code);
}

/** The tables of the ledger, and the files that may write them. */
const LEDGER_WRITERS: Readonly<Record<string, readonly string[]>> = {
  ledger_transfers: ['db/ledger/post-transfers.ts'],
  ledger_balances: ['db/ledger/post-transfers.ts', 'db/ledger/balances.ts'],
};

/** One sentence for each statement that writes the ledger in another file, or changes a transfer anywhere. */
export function ledgerWritesElsewhere(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(test|scripts)\//.test(path))
    .flatMap(({ path, text }) => {
      const written = [
        ...withoutComments(text).matchAll(/\b(insert\s+into|update|delete\s+from)\s+(ledger_\w+)/gi),
      ];
      return written
        .filter(([, verb, table]) => {
          const isChange = table === 'ledger_transfers' && !/^insert/i.test(verb!);
          return isChange || !LEDGER_WRITERS[table!]?.includes(path);
        })
        .map(([statement]) => `${path} must not ${statement!.replaceAll(/\s+/g, ' ')}.`);
    });
}
