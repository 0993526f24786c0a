import assert from 'node:assert/strict';
import { encryptCard, VISA } from '../../support/cards/cards.ts';
import { created } from '../../support/shop.ts';
import { domainOf, verifiedDomain, walletToken } from '../../support/wallet/wallet-shop.ts';
import type { Decision, ModelCard } from './model/state.ts';
import type { Simulated } from './simulated.ts';
import type { World } from './world.ts';

/** Cards of the sandbox, and what it decides about their charges. */
const NUMBERS: readonly { number: string; usual: Decision; isNotified?: true }[] = [
  { number: '4242424242424242', usual: 'approve' },
  { number: '4242424242424242', usual: 'approve' },
  { number: '4000000000001158', usual: 'approve', isNotified: true },
  { number: '4000000000009995', usual: 'soft' },
  { number: '4000000000009979', usual: 'hard' },
];

type Outcomes = Readonly<Record<Decision, readonly string[]>>;

const OF_CARDS: Outcomes = {
  approve: ['approve'],
  soft: ['insufficient_funds', 'do_not_honor', 'limit_exceeded'],
  hard: ['stolen_card', 'account_closed', 'expired_card'],
};
const OF_MANDATES: Outcomes = {
  approve: ['approve'],
  soft: ['AM02', 'AB10', 'AC06'],
  hard: ['AC05', 'DENC', 'MSUC'],
};

/** A card of a customer, often with a script. A number that the customer has stored before is the same card. */
export async function storedCard(world: World, customerId: string): Promise<ModelCard> {
  const { theme, random } = world;
  const numbers = theme.hasGoodCards ? NUMBERS.filter(({ usual }) => usual === 'approve') : NUMBERS;
  const { number, usual, isNotified = false } = random.pick(numbers);
  const encrypted = encryptCard({ ...VISA, number }, world.shop.onboarded.encryptionKey);
  const { status, body, text } = await world.shop.post('/cards', { customer_id: customerId, encrypted });
  assert.ok(status === 200 || status === 201, text);
  const known = world.cards.get(body.id);
  const card = known ?? { id: body.id, scripted: [], usual, isNotified, isToken: false };
  assert.equal(status, known === undefined ? 201 : 200);
  world.cards.set(body.id, card);
  if (random.oneIn(theme.hasGoodCards ? 6 : 2)) await scriptCard(world, card);
  return card;
}

/** Adds random decisions to the script of a card. */
export async function scriptCard(world: World, card: ModelCard): Promise<void> {
  card.scripted.push(...(await addScript(world, { card_id: card.id }, OF_CARDS)).decisions);
}

/** Adds random decisions of a payer's bank about the next charges by a mandate. */
export async function scriptMandate(
  world: World,
  { customerId, model, scriptIds }: Simulated,
): Promise<void> {
  const { id, decisions } = await addScript(world, { customer_id: customerId }, OF_MANDATES);
  model.scripted.push(...decisions);
  scriptIds.push(id);
}

/** A new token of a wallet with a good card. `isCharged`: it is charged now; otherwise it is verified. */
export async function wallet(
  world: World,
  isCharged: boolean,
): Promise<{ readonly card: ModelCard; readonly token: string }> {
  const domain = domainOf(world.shop);
  if (!world.hasWalletDomain) await verifiedDomain(world.shop, domain);
  world.hasWalletDomain = true;
  const token = await walletToken(world.shop, { domain });
  const card: ModelCard = { id: null, scripted: [], usual: 'approve', isNotified: false, isToken: isCharged };
  return { card, token };
}

/** Adds random decisions about the next charges of a customer's wallet. */
export async function scriptWallet(
  world: World,
  { customerId, scriptIds }: Simulated,
  card: ModelCard,
): Promise<void> {
  const { id, decisions } = await addScript(world, { customer_id: customerId }, OF_CARDS);
  card.scripted.push(...decisions);
  scriptIds.push(id);
}

/**
 * Scripts of a customer decide about charges by a mandate or a wallet, and not about those of the next means of
 * payment.
 */
export async function dropScripts(world: World, { model, scriptIds }: Simulated): Promise<void> {
  model.scripted.length = 0;
  if (model.means.method === 'browser_wallet') model.means.card.scripted.length = 0;
  for (const id of scriptIds.splice(0)) await dropScript(world, id);
}

/** A script by which the acquirer does not carry out the next cancellations of a customer's charges. Its id. */
export async function scriptCancellations(
  { shop }: World,
  { customerId }: Simulated,
  count: number,
): Promise<string> {
  const outcomes = Array(count).fill({ operation: 'cancel', outcome: 'processing_error' });
  return (await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes }))).id;
}

export async function dropScript({ shop }: World, id: string): Promise<void> {
  const { status, text } = await shop.call('DELETE', `/sandbox/scripts/${id}`);
  assert.equal(status, 204, text);
}

async function addScript(world: World, subject: object, words: Outcomes) {
  const always = world.random.oneIn(2) ? 'soft' : undefined;
  const decisions = Array.from(
    { length: world.random.integer(1, 6) },
    () => always ?? world.random.pick(world.theme.decisions),
  );
  const outcomes = decisions.map((decision) => ({
    operation: 'authorize',
    outcome: world.random.pick(words[decision]),
  }));
  const { id } = await created(world.shop.post('/sandbox/scripts', { ...subject, outcomes }));
  return { id, decisions };
}
