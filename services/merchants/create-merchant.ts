import { randomInt } from 'node:crypto';
import { insertMerchant } from '../../db/merchants/merchants.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { MerchantRecord } from '../../domain/merchants/merchant.ts';
import { type MerchantStatus, WALL_CLOCK } from '../../domain/merchants/merchant.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import { DEFAULT_PLAN } from '../../domain/merchants/plans.ts';
import { SLOTS } from '../../domain/scope.ts';
import type { Deps, Finish } from '../deps.ts';
import { newMerchantKeys } from '../vault/merchant-keys.ts';
import { createApiKey } from './create-api-key.ts';

/** The MCCs of a merchant that is created without any: computer software, and business services. */
const DEFAULT_MCCS = ['5734', '7372'];

export interface NewMerchantInput {
  readonly name: string;
  readonly legalName?: string | undefined;
  readonly document?: string | undefined;
  readonly mccs?: readonly string[] | undefined;
  readonly paymentMethods?: readonly PaymentMethod[] | undefined;
  readonly plan?: string | undefined;
  readonly status?: MerchantStatus | undefined;
}

export interface OnboardedMerchant {
  readonly merchant: MerchantRecord;
  /** Shown once: only its keyed hash is stored. */
  readonly apiKey: string;
  /** 32 characters for the browser's AES form. It gives no access to the API. */
  readonly encryptionKey: string;
}

/** Assisted onboarding: the merchant, its encryption keys and a first API key, in one transaction. */
export async function createMerchant<R>(
  deps: Pick<Deps, 'environment' | 'db' | 'vault' | 'hash' | 'wall' | 'random'>,
  input: NewMerchantInput,
  finish: Finish<OnboardedMerchant, R>,
): Promise<R> {
  const at = deps.wall();
  const merchantId = uuidV7(at.getTime(), deps.random);
  const keys = await newMerchantKeys(deps.vault, merchantId);
  const merchant: MerchantRecord = {
    slot: randomInt(SLOTS),
    merchantId,
    name: input.name,
    legalName: input.legalName ?? input.name,
    document: input.document ?? null,
    status: input.status ?? 'approved',
    plan: input.plan ?? DEFAULT_PLAN,
    mccs: input.mccs ?? DEFAULT_MCCS,
    paymentMethods: input.paymentMethods ?? PAYMENT_METHODS,
    currencies: ['BRL'],
    rateLimitPerMinute: null,
    webhookRetries_ms: null,
    dunningDays: null,
    installmentInterest: null,
    clock: WALL_CLOCK,
    createdAt: at,
  };
  return deps.db.transaction(merchant, async (tx) => {
    await insertMerchant(tx, { ...merchant, ...keys, at });
    const { apiKey } = await createApiKey(deps, tx, merchant, { name: 'First key' });
    return finish(tx, { merchant, apiKey, encryptionKey: keys.encryptionKey });
  });
}
