import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { SandboxWalletToken } from '../../gateway/sandbox-control.ts';
import { callSandbox } from '../call-sandbox.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { requireDomain } from './create-wallet-session.ts';

/** A card that is approved. */
const DEFAULT_NUMBER = '4242424242424242';

/**
 * Returns a wallet token, as a wallet hands it over when the buyer confirms a payment on a page of the domain. `number`
 * is the card in the wallet. Refusals: `domainName` that the merchant has not registered; `unavailable`.
 */
export async function createWalletToken<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: { readonly domainName: string; readonly number: string | null },
  finish: Finish<SandboxWalletToken, Answer>,
): Promise<Answer> {
  const { domainName } = await requireDomain(deps, merchant, input.domainName);
  const number = input.number ?? DEFAULT_NUMBER;
  const createdAt = now(deps, merchant);
  const token = await callSandbox(deps, (sandbox) =>
    sandbox.createWalletToken({ domainName, number, createdAt }),
  );
  return deps.db.transaction(merchant, (tx) => finish(tx, token));
}
