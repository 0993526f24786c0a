import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlanChangeQuote } from '../../../domain/subscriptions/plan-change.ts';
import { type PreviewedChange, previewProblem } from '../../../domain/subscriptions/plan-preview.ts';
import { card } from '../../support/subscriptions/billing-players.ts';
import { priced, quoted } from '../../support/subscriptions/plan-changes.ts';
import { afternoonOf } from '../../support/subscriptions/play-billing.ts';

describe('the receipt of a preview', () => {
  const quote: PlanChangeQuote = {
    delta_centavos: 1_613,
    nextChargeOn: '2026-02-10',
    nextChargeAmount_centavos: 15_000,
  };
  const preview = {
    offerId: 'o',
    plan: priced(15_000),
    effective: 'immediate' as const,
    quote,
    createdAt: afternoonOf('2026-01-31'),
  };
  const problem = (minutes: number, other: Partial<PreviewedChange> = {}) =>
    previewProblem(
      preview,
      { ...preview, ...other },
      new Date(preview.createdAt.getTime() + minutes * 60_000),
    );

  it('holds 15 minutes', () => {
    assert.equal(problem(0), null);
    assert.equal(problem(15), null);
    assert.equal(problem(15.001), 'expired');
  });

  it('is for one offer and one time of the change', () => {
    assert.equal(problem(1, { offerId: 'another' }), 'other_request');
    assert.equal(problem(1, { effective: 'next_cycle' }), 'other_request');
  });

  it('does not hold when any of its figures has changed', () => {
    for (const other of [
      { delta_centavos: 1_612 },
      { nextChargeOn: '2026-02-11' },
      { nextChargeAmount_centavos: 1 },
    ]) {
      assert.equal(problem(1, { quote: { ...quote, ...other } }), 'other_figures');
    }
  });

  it('does not hold when the interval or a later price of the offer has changed', () => {
    const [band] = priced(15_000).ladder;
    const later = { start: 4, end: null, amount_centavos: 1 };
    for (const plan of [
      priced(15_000, 'quarterly'),
      priced(15_000, 'monthly', 12),
      { ...priced(1), ladder: [{ ...band!, end: 3 }, later] },
    ]) {
      assert.equal(problem(1, { plan }), 'other_figures');
    }
  });

  it('does not hold over midnight if the day changes the difference', () => {
    const player = card();
    const [before, after] = ['2026-01-30', '2026-01-31'].map((today) =>
      quoted(player, priced(15_000), 'immediate', today),
    );
    assert.equal(problem(1, { quote: after! }), null);
    assert.equal(problem(1, { quote: before! }), 'other_figures');
  });
});
