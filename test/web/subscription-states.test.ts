import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BillingMethod } from '../../domain/subscriptions/methods/names.ts';
import { statusChangesByMethod } from '../../domain/subscriptions/status-changes.ts';
import { type SubscriptionMove, subscriptionMachine } from '../../domain/subscriptions/subscription-moves.ts';
import type { SubscriptionStatus } from '../../domain/subscriptions/subscription-status.ts';
import { guideHtml, readGuides } from '../../web/guides.ts';
import { wordsOf } from '../../web/move-words.ts';
import { CHAPTERS, drawnChanges } from '../../web/subscription-chapters.ts';
import { subscriptionFragments } from '../../web/subscription-states.ts';
import { engineChanges } from '../support/subscriptions/engine-changes.ts';

const CHANGES = statusChangesByMethod();
const chapters = Object.values(CHAPTERS).flat();

describe('the diagrams of subscriptions', () => {
  for (const chapter of chapters) {
    const { title, method, moves, from: sources } = chapter;
    const drawn = drawnChanges(chapter, CHANGES);
    const drawnLines = drawn.map(({ move, from, to }) => `${move}: ${from} → ${to}`);

    test(`"${title}" by ${method} has every arrow that the billing engine can make, and no other`, () => {
      const possible = engineChanges(method as BillingMethod).filter((line) => {
        const [, move, from] = line.match(/^(\w+): (\w+) → \w+$/) as string[];
        return moves.includes(move!) && sources.includes(from!);
      });
      assert.ok(drawnLines.length > 0);
      assert.deepEqual(drawnLines.toSorted(), possible);
    });

    test(`"${title}" by ${method} has only arrows that the table of moves allows`, () => {
      for (const { move, from, to } of drawn) {
        const args = [move, from, to] as [SubscriptionMove, SubscriptionStatus, SubscriptionStatus];
        assert.ok(subscriptionMachine.allows(...args), `${move}: ${from} → ${to}`);
      }
    });

    test(`"${title}" by ${method} has an arrow from each of its statuses, and words for each arrow`, () => {
      const drawnSources = new Set<string>(drawn.map(({ from }) => from));
      assert.deepEqual(
        sources.filter((status) => !drawnSources.has(status)),
        [],
      );
      for (const { move, from } of drawn) assert.notEqual(wordsOf(move, from), move.replaceAll('_', ' '));
    });
  }

  test('do not draw what cannot happen to a subscription by card', () => {
    const byCard = chapters.filter(({ method }) => method === 'credit_card');
    const refusals = byCard
      .flatMap((chapter) => drawnChanges(chapter, CHANGES))
      .filter(({ to }) => to === 'payment_refused');
    assert.deepEqual(refusals, [{ move: 'fall_behind', from: 'payment_pending', to: 'payment_refused' }]);
  });

  test('draw every change by Pix recurring, and leave out rare cancellations and refunds alone', () => {
    const { pix_recurring: all } = CHANGES;
    const drawn = chapters
      .filter(({ method }) => method === 'pix_recurring')
      .flatMap((chapter) => drawnChanges(chapter, CHANGES));
    const leftOut = all.filter((change) => !drawn.includes(change)).map(({ move }) => move);
    assert.deepEqual([...new Set(leftOut)].sort(), ['cancel_mandate', 'revoke']);
  });

  test('are each in one guide', async () => {
    const fragments = subscriptionFragments(CHANGES);
    const guides = await readGuides();
    for (const [place, html] of Object.entries(fragments)) {
      const pages = guides.filter(({ markdown }) => markdown.includes(`<!-- ${place} -->`));
      assert.equal(pages.length, 1, place);
      assert.ok(guideHtml(pages[0]!, { ...others(pages[0]!.markdown), ...fragments }).includes(html), place);
    }
  });
});

/** An empty text for each place of a guide. */
function others(markdown: string): Record<string, string> {
  return Object.fromEntries([...markdown.matchAll(/<!-- (.*?) -->/g)].map(([, place]) => [place, '']));
}
