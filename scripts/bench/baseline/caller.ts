import type { Pool } from 'pg';
import { parseApiKey } from '../../../domain/merchants/api-key.ts';
import type { KeyedHash } from '../../../services/vault/keyed-hash.ts';

/** The merchant of an API key. */
export interface Caller {
  readonly slot: number;
  readonly merchant_id: string;
  readonly name: string;
  readonly mccs: readonly string[];
  readonly payment_methods: readonly string[];
  readonly currencies: readonly string[];
}

const FIND_CALLER = {
  name: 'find_caller',
  text: `select k.id, k.status, k.permissions, m.merchant_id, m.name, m.legal_name, m.status as merchant_status, m.plan,
                m.mccs, m.payment_methods, m.currencies, m.rate_limit_per_minute, c.offset_ms, c.pinned_at
           from api_keys k
           join merchants m on m.slot = k.slot and m.merchant_id = k.merchant_id
           left join merchant_clocks c on c.slot = k.slot and c.merchant_id = k.merchant_id
          where k.slot = $1 and k.key_hash = $2`,
};

/**
 * The merchant of the key in a request. Undefined without a valid key. Asks the database each time, as the service
 * does.
 */
export async function findCaller(
  pool: Pool,
  hash: KeyedHash,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  const key = authorization?.slice('Bearer '.length) ?? '';
  const slot = parseApiKey(key)?.slot ?? null;
  if (slot === null) return undefined;
  const { rows } = await pool.query({ ...FIND_CALLER, values: [slot, hash('api-key', key)] });
  const row = rows[0];
  return row?.status === 'active' && row.merchant_status === 'approved' ? { slot, ...row } : undefined;
}
