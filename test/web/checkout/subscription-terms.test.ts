/** What a buyer reads of the prices of a subscription: the parts that need no browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Checkout } from '../../../web/checkout/page-frame.ts';
import { consentHtml, subscribeText } from '../../../web/checkout/subscription-terms.ts';
import { summaryHtml } from '../../../web/checkout/summary.ts';
import { en } from '../../../web/checkout/words/en.ts';
import { pt } from '../../../web/checkout/words/pt.ts';

/** The price of some cycles, the last of them, and the day of the first. */
type Band = readonly [amount: number, end: number | null, firstChargeOn?: string];

/** The page of a monthly subscription with these prices. */
function pageOf(bands: readonly Band[], trial_days = 0): Checkout {
  const price_bands = bands.map(([amount, end, day = '2026-12-01'], at) => ({
    start: (bands[at - 1]?.[1] ?? 0) + 1,
    end,
    amount,
    first_charge_on: day,
  }));
  return {
    merchant_name: 'Aurora Cursos',
    logo_url: null,
    title: 'Clube',
    description: null,
    amount: price_bands[0]!.amount,
    recurrence_interval: 'monthly',
    trial_days,
    recurrence: { interval: 'monthly', trial_days, price_bands, terms: 'x' },
  } as unknown as Checkout;
}

/** The texts of the page, without its elements. */
function shown(checkout: Checkout, words = pt) {
  const textOf = ({ text }: { text: string }) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return {
    summary: textOf(summaryHtml(checkout, words)),
    consent: textOf(consentHtml(checkout, words)),
    button: subscribeText(checkout.recurrence!, words),
  };
}

describe('the terms of a subscription', () => {
  test('say that a card is charged later if the first cycle is free', () => {
    const free = pageOf([
      [0, 1],
      [4_990, null, '2027-01-01'],
    ]);
    const { summary, consent, button } = shown(free);
    assert.equal(button, 'Começar período grátis');
    assert.match(consent, /cobrar o seu cartão depois do período grátis/);
    assert.match(summary, /Hoje grátis A partir de 01\/01\/2027 R\$ 49,90 por mês/);
    assert.doesNotMatch(summary, /R\$ 0,00/);
    assert.match(shown(free, en).consent, /charge your card after the free trial/);
    const paid = shown(pageOf([[4_990, null]]));
    assert.match(paid.consent, /cobrar o seu cartão agora/);
    assert.match(paid.summary, /Clube R\$ 49,90 por mês Hoje R\$ 49,90 por mês/);
  });

  test('count only the cycles that are charged', () => {
    const ofFree = pageOf([
      [0, 1],
      [4_990, 3],
    ]);
    assert.match(shown(ofFree).summary, /termina depois de 2 cobranças/);
    assert.match(shown(pageOf([[4_990, 3]])).summary, /termina depois de 3 cobranças/);
    assert.doesNotMatch(shown(pageOf([[0, 3]])).summary, /termina/);
    const freeInTheEnd = pageOf([
      [4_990, 3],
      [0, null],
    ]);
    assert.doesNotMatch(shown(freeInTheEnd).summary, /termina/);
  });

  test('have the singular of one day and of one charge', () => {
    const once = pageOf([[4_990, 1]], 1);
    assert.match(shown(once).summary, / 1 dia grátis, depois R\$ 49,90 .* termina depois de 1 cobrança\./);
    assert.match(shown(once, en).summary, / 1 day free, then R\$49\.90 .* ends after 1 charge\./);
    const twice = pageOf([[4_990, 2]], 2);
    assert.match(shown(twice).summary, / 2 dias grátis, depois R\$ 49,90 .* termina depois de 2 cobranças\./);
    assert.match(shown(twice, en).summary, / 2 days free, then R\$49\.90 .* ends after 2 charges\./);
  });
});
