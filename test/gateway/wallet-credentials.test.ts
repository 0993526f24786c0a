import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sealWalletToken, walletTokenKey } from '../../gateway/simulator/wallet/tokens.ts';
import {
  APPROVED_CARD,
  Customer,
  NOON,
  type RunningAcquirer,
  reference,
  SECRET,
  startAcquirer,
} from './support/acquirer.ts';

const NO_FUNDS = '4000000000009995';
const STOLEN = '4000000000009979';
const ANSWER_LOST = '4000000000001117';

let running: RunningAcquirer;
before(async () => {
  running = await startAcquirer(500);
});
after(() => running.stop());

const tokenOf = (number: string) =>
  sealWalletToken(walletTokenKey(SECRET), { createdAt: NOON, domainName: 'loja.wallet.test', number }).token;

/** Has the card in a wallet verified. */
function verify({ acquirer, account }: Customer, number = APPROVED_CARD, ref = reference()) {
  return acquirer.perform({
    kind: 'wallet_credential',
    reference: ref,
    account,
    requestedAt: NOON,
    walletToken: tokenOf(number),
  });
}

async function credentialOf(customer: Customer, number?: string): Promise<string> {
  const outcome = await verify(customer, number);
  assert.equal(outcome.kind, 'approved');
  return outcome.kind === 'approved' ? outcome.storedCredential : '';
}

type Means =
  | { readonly storedCredential: string }
  | { readonly walletToken: string; readonly storesCredential: boolean };

function charge(customer: Customer, means: Means, document: string | null = null, ref = reference()) {
  const { card: _, ...asked } = customer.authorization();
  return customer.acquirer.perform({
    ...asked,
    ...means,
    method: 'browser_wallet',
    reference: ref,
    capture: true,
    customer: { ...asked.customer, document },
  });
}

describe('the credential of a wallet', () => {
  it('is issued by a verification, and charges the card again and again', async () => {
    const customer = new Customer(running);
    const storedCredential = await credentialOf(customer);
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await charge(customer, { storedCredential })).kind, 'approved');
    }
  });

  it('comes with the approval of a charge that asks for it, also by an inquiry', async () => {
    const customer = new Customer(running);
    const asked = { walletToken: tokenOf(APPROVED_CARD), storesCredential: true };
    const ref = reference();
    const first = await charge(customer, asked, null, ref);
    assert.equal(first.kind, 'approved');
    const storedCredential = first.kind === 'approved' ? first.storedCredential : undefined;
    assert.ok(storedCredential);
    assert.deepEqual(await customer.inquire(ref), { ...first });
    assert.equal((await charge(customer, { storedCredential })).kind, 'approved');
    const other = await charge(customer, { ...asked, storesCredential: false });
    assert.equal('storedCredential' in other, false);
  });

  it('is the same if the request is repeated', async () => {
    const customer = new Customer(running);
    const ref = reference();
    assert.deepEqual(await verify(customer, NO_FUNDS, ref), await verify(customer, NO_FUNDS, ref));
  });

  it('is not issued for a card that no charge is possible with, nor by a charge that is refused', async () => {
    const customer = new Customer(running);
    assert.equal((await verify(customer, STOLEN)).kind, 'refused');
    const refused = await charge(customer, { walletToken: tokenOf(NO_FUNDS), storesCredential: true });
    assert.deepEqual([refused.kind, 'storedCredential' in refused], ['refused', false]);
  });

  it('is issued for a card without funds, whose charges are then refused', async () => {
    const customer = new Customer(running);
    const storedCredential = await credentialOf(customer, NO_FUNDS);
    const outcome = await charge(customer, { storedCredential });
    assert.equal(outcome.kind === 'refused' && outcome.refusal.code, 'insufficient_funds');
  });

  it('has no answer for a card whose answers are lost', async () => {
    assert.equal((await verify(new Customer(running), ANSWER_LOST)).kind, 'unknown');
  });

  it('of a usual card follows the document of the customer', async () => {
    const customer = new Customer(running);
    const storedCredential = await credentialOf(customer);
    const outcome = await charge(customer, { storedCredential }, '99990000379');
    assert.equal(outcome.kind === 'refused' && outcome.refusal.code, 'insufficient_funds');
  });

  it('is refused if it is unknown, or of another account', async () => {
    const customer = new Customer(running);
    const foreign = await credentialOf(new Customer(running));
    for (const storedCredential of ['wcr_none', foreign]) {
      const outcome = await charge(customer, { storedCredential });
      assert.equal(outcome.kind === 'refused' && outcome.refusal.code, 'unknown_credential');
    }
  });
});
