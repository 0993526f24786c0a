import { MINUTE_MS } from '../durations.ts';
import type { PriceBand } from '../products/price-ladder.ts';
import type { Plan } from './billing.ts';
import type { PlanChangeQuote, PlanChangeTime } from './plan-change.ts';

/** How long a plan change can use the figures of a preview, by the merchant's clock. */
const PREVIEW_MINUTES = 15;

export type PreviewedTerms = Pick<Plan, 'interval' | 'ladder'>;

/** What a preview promises: the figures of a plan change for a request. */
export interface PlanPreview {
  readonly offerId: string;
  /** The interval and the prices of the offer. Null in a preview of an older version. */
  readonly plan: PreviewedTerms | null;
  readonly effective: PlanChangeTime;
  readonly quote: PlanChangeQuote;
  /** Merchant's time. */
  readonly createdAt: Date;
}

/** A plan change that may use a preview. */
export type PreviewedChange = Omit<PlanPreview, 'plan' | 'createdAt'> & { readonly plan: PreviewedTerms };

/** The end of the 15 minutes of a preview. Merchant's time. */
export function expiryOfPreview({ createdAt }: Pick<PlanPreview, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + PREVIEW_MINUTES * MINUTE_MS);
}

/** Why a plan change cannot use a preview; null if it has exactly the figures of the preview (contract row 13.29). */
export function previewProblem(
  preview: PlanPreview,
  change: PreviewedChange,
  now: Date,
): 'expired' | 'other_request' | 'other_figures' | null {
  if (now > expiryOfPreview(preview)) return 'expired';
  if (preview.offerId !== change.offerId || preview.effective !== change.effective) return 'other_request';
  const [promised, present] = [preview.quote, change.quote];
  const isSame =
    hasSameTerms(preview.plan, change.plan) &&
    promised.delta_centavos === present.delta_centavos &&
    promised.nextChargeOn === present.nextChargeOn &&
    promised.nextChargeAmount_centavos === present.nextChargeAmount_centavos;
  return isSame ? null : 'other_figures';
}

function hasSameTerms(promised: PreviewedTerms | null, present: PreviewedTerms): boolean {
  if (promised === null) return true;
  const isSameBand = (band: PriceBand, i: number) => {
    const other = present.ladder[i];
    return band.end === other?.end && band.amount_centavos === other.amount_centavos;
  };
  return (
    promised.interval === present.interval &&
    promised.ladder.length === present.ladder.length &&
    promised.ladder.every(isSameBand)
  );
}
