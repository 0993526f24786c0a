import type { InterestTable } from '../../domain/installments.ts';
import type { MerchantRecord, MerchantStatus } from '../../domain/merchants/merchant.ts';
import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

export interface NewMerchant extends MerchantScope {
  readonly name: string;
  readonly legalName: string;
  readonly document: string | null;
  readonly status: MerchantStatus;
  readonly plan: string;
  readonly mccs: readonly string[];
  readonly paymentMethods: readonly PaymentMethod[];
  readonly encryptionKeySealed: Buffer;
  readonly privateKeySealed: Buffer;
  readonly publicKeyJwk: object;
  readonly at: Date;
}

interface MerchantRow {
  slot: number;
  merchant_id: string;
  name: string;
  legal_name: string;
  document: string | null;
  status: MerchantStatus;
  plan: string;
  mccs: string[];
  payment_methods: PaymentMethod[];
  currencies: string[];
  rate_limit_per_minute: number | null;
  webhook_retries_ms: string[] | null;
  dunning_days: number[] | null;
  installment_interest: InterestTable | null;
  created_at: Date;
  offset_ms: number | null;
  pinned_at: Date | null;
}

const SELECT = `select m.slot, m.merchant_id, m.name, m.legal_name, m.document, m.status, m.plan, m.mccs,
    m.payment_methods, m.currencies, m.rate_limit_per_minute, m.webhook_retries_ms, m.dunning_days,
    m.installment_interest, m.created_at, c.offset_ms, c.pinned_at
  from merchants m left join merchant_clocks c`;
const SELECT_ANY = `${SELECT} on c.slot = m.slot and c.merchant_id = m.merchant_id`;

/** Inserts a merchant. Throws a unique violation when the id exists. */
export async function insertMerchant(q: Queryable, merchant: NewMerchant): Promise<void> {
  await q.execute(
    merchant,
    `insert into merchants (slot, merchant_id, name, legal_name, document, status, plan, mccs, payment_methods,
       encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
     values (:slot, :merchant_id, :name, :legal_name, :document, :status, :plan, :mccs, :payment_methods,
       :encryption_key_sealed, :private_key_sealed, :public_key_jwk, :at, :at)`,
    {
      name: merchant.name,
      legal_name: merchant.legalName,
      document: merchant.document,
      status: merchant.status,
      plan: merchant.plan,
      mccs: merchant.mccs,
      payment_methods: merchant.paymentMethods,
      encryption_key_sealed: merchant.encryptionKeySealed,
      private_key_sealed: merchant.privateKeySealed,
      public_key_jwk: JSON.stringify(merchant.publicKeyJwk),
      at: merchant.at,
    },
  );
}

/** An arbitrary number, the same in every process. */
const FIRST_MERCHANT_LOCK = 20_261;

/**
 * Whether the merchant that this transaction has inserted is the only one. Transactions that ask wait for each other:
 * the next one continues when the first has ended, and sees its merchant. So at most one of them gets true and commits.
 */
export async function isOnlyMerchant(tx: Tx, { merchantId }: MerchantScope): Promise<boolean> {
  // Not a table lock: in a distributed database each shard has its own, and they do not exclude each other.
  await tx.anywhere('select pg_advisory_xact_lock(:lock)', { lock: FIRST_MERCHANT_LOCK });
  const others = await tx.anywhere(
    'select merchant_id from merchants where merchant_id <> :merchant_id limit 1',
    { merchant_id: merchantId },
  );
  return others.length === 0;
}

/** The merchant; undefined if there is none. */
export async function findMerchant(q: Queryable, scope: MerchantScope): Promise<MerchantRecord | undefined> {
  const row = await q.maybeOne<MerchantRow>(scope, `${SELECT} on {scope:c} where {scope:m}`);
  return row === undefined ? undefined : toMerchantRecord(row);
}

/** For administration: finds a merchant by its id only. */
export async function findMerchantById(
  db: Database,
  merchantId: string,
): Promise<MerchantRecord | undefined> {
  const [row] = await db.anywhere<MerchantRow>(`${SELECT_ANY} where m.merchant_id = :id`, { id: merchantId });
  return row === undefined ? undefined : toMerchantRecord(row);
}

/** For administration: every merchant, oldest first. */
export async function listMerchants(db: Database): Promise<MerchantRecord[]> {
  const rows = await db.anywhere<MerchantRow>(`${SELECT_ANY} order by m.created_at, m.merchant_id`);
  return rows.map(toMerchantRecord);
}

/** Settings that the operator can change. Absent settings do not change; null clears one. */
export interface MerchantChanges {
  readonly name?: string;
  readonly legalName?: string;
  readonly document?: string | null;
  readonly plan?: string;
  readonly mccs?: readonly string[];
  readonly paymentMethods?: readonly PaymentMethod[];
  readonly rateLimitPerMinute?: number | null;
  readonly webhookRetries_ms?: readonly number[] | null;
  readonly dunningDays?: readonly number[] | null;
  readonly installmentInterest?: InterestTable | null;
  readonly notificationSecretSealed?: Buffer | null;
}

const COLUMN_OF: Readonly<Record<keyof MerchantChanges, string>> = {
  name: 'name',
  legalName: 'legal_name',
  document: 'document',
  plan: 'plan',
  mccs: 'mccs',
  paymentMethods: 'payment_methods',
  rateLimitPerMinute: 'rate_limit_per_minute',
  webhookRetries_ms: 'webhook_retries_ms',
  dunningDays: 'dunning_days',
  installmentInterest: 'installment_interest',
  notificationSecretSealed: 'notification_secret_sealed',
};

interface MerchantUpdate {
  readonly changes: MerchantChanges;
  readonly at: Date;
  readonly move?: RowMove<MerchantStatus> | undefined;
}

/**
 * Writes the settings that are present, and moves the account if a move is given. Returns false and writes nothing when
 * the account is not in `from`. The only statement that changes the status of an account.
 */
export async function updateMerchant(
  q: Queryable,
  scope: MerchantScope,
  { changes, at, move }: MerchantUpdate,
): Promise<boolean> {
  const columns = Object.entries(changes).map(
    ([name, value]) => [COLUMN_OF[name as keyof MerchantChanges], columnValue(name, value)] as const,
  );
  const values = { ...Object.fromEntries(columns), updated_at: at };
  const assignments = Object.keys(values).map((column) => `${column} = :${column}`);
  if (move !== undefined) assignments.push('status = :to');
  const condition = move === undefined ? '' : ' and status = any(:from)';
  const touched = await q.execute(
    scope,
    `update merchants set ${assignments.join(', ')} where {scope}${condition}`,
    { ...values, ...move },
  );
  return touched === 1;
}

function columnValue(name: string, value: unknown): unknown {
  return name === 'installmentInterest' && value !== null ? JSON.stringify(value) : value;
}

function toMerchantRecord(row: MerchantRow): MerchantRecord {
  return {
    slot: row.slot,
    merchantId: row.merchant_id,
    name: row.name,
    legalName: row.legal_name,
    document: row.document,
    status: row.status,
    plan: row.plan,
    mccs: row.mccs,
    paymentMethods: row.payment_methods,
    currencies: row.currencies,
    rateLimitPerMinute: row.rate_limit_per_minute,
    // pg returns an array of bigint as texts. A duration is far below 2^53.
    webhookRetries_ms: row.webhook_retries_ms?.map(Number) ?? null,
    dunningDays: row.dunning_days,
    installmentInterest: row.installment_interest,
    clock: { offset_ms: row.offset_ms ?? 0, pinnedAt: row.pinned_at },
    createdAt: row.created_at,
  };
}
