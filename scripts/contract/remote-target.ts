import { randomBytes } from 'node:crypto';
import { makeApiKey, parseApiKey } from '../../domain/merchants/api-key.ts';
import { type ContractMerchant, merchantOf } from '../../test/contract/dredd/merchant.ts';
import { Steps } from '../../test/contract/dredd/steps.ts';
import { OutOfReach, type Target } from '../../test/contract/dredd/target.ts';
import { cardDocument, encryptJwe, type PlainCard } from '../../test/support/cards/cards.ts';
import type { Upstream } from './upstream.ts';

/** What the answers of a status need from inside the service, for any operation. The API cannot provide it. */
const NEEDED_INSIDE: Readonly<Record<string, string>> = {
  409: 'the database of the service, to stop a request in the middle of its work',
  429: 'a key whose rate limit is used up',
  503: 'an instance of the service that is overloaded',
};
/** Answers of operations that change all data of the merchant. */
const CHANGES_ALL = ['advanceClock 200', 'advanceClock 202', 'resetSandbox 200'];
const ASK_FOR_RESET = 'RESET=yes: it moves the clock of the merchant or deletes all of its data';

/** A running sandbox as the service under test, reached only through its API, as one merchant. */
export function remoteTarget(upstream: Upstream): Target {
  const { url, mayReset } = upstream;
  const steps = new Steps();
  const merchant = remoteMerchant(upstream, steps);
  return {
    url,
    steps,
    get overloadedUrl(): string {
      throw new OutOfReach(NEEDED_INSIDE[503]);
    },
    merchantOf: async () => merchant,
    usedUpKey: async () => outOfReach(NEEDED_INSIDE[429]!),
    notApprovedKey: async () => outOfReach('the key of an account that is not approved'),
    usedUpPage: async () => outOfReach(NEEDED_INSIDE[429]!),
    notApprovedPage: async () => outOfReach('a page of an account that is not approved'),
    usedUpAddress: async () => outOfReach(NEEDED_INSIDE[429]!),
    get providerWithoutCertificate(): string {
      return outOfReach('the configuration of the wallet providers');
    },
    lock: async () => outOfReach(NEEDED_INSIDE[409]!),
    letPass: () => outOfReach(NEEDED_INSIDE[409]!),
    hasBegun: async () => outOfReach(NEEDED_INSIDE[409]!),
    allow(answer) {
      if (CHANGES_ALL.includes(answer) && !mayReset) outOfReach(ASK_FOR_RESET);
      const needed = NEEDED_INSIDE[answer.split(' ')[1]!];
      if (needed !== undefined) outOfReach(needed);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function remoteMerchant({ url, apiKey, merchantId }: Upstream, steps: Steps): ContractMerchant {
  const encrypted = async (card: Partial<PlainCard>) => {
    const { jwk } = await merchant.call('GET', '/cards/encryption-key');
    return encryptJwe(cardDocument(card), jwk);
  };
  const merchant = merchantOf(apiKey, encrypted, { url, steps });
  return {
    ...merchant,
    merchantId,
    unknownKey: () => makeApiKey('sandbox', parseApiKey(apiKey)?.slot ?? 0, randomBytes),
    keyThatMay: async () => outOfReach('a key of the same merchant with fewer permissions'),
  };
}

function outOfReach(what: string): never {
  throw new OutOfReach(what);
}
