import { ESSENTIAL_FEES, type FeeRates, STANDARD_FEES } from './payment-methods.ts';

/** The resources for which a key can have permissions (contract row 1.3). */
const RESOURCES = [
  'merchant',
  'recipients',
  'customers',
  'cards',
  'products',
  'payment_links',
  'payments',
  'subscriptions',
  'webhooks',
  'events',
  'balance',
  'wallet',
  'sandbox',
] as const;

export type Resource = (typeof RESOURCES)[number];

/** What a key may do, such as `cards:read`. The permission to write a resource includes reading it. */
export type Permission = `${Resource}:${'read' | 'write'}`;

export const PERMISSIONS: readonly Permission[] = RESOURCES.flatMap(
  (resource) => [`${resource}:read`, `${resource}:write`] as const,
);

/** Whether a text is one of `PERMISSIONS`. */
export function isPermission(text: unknown): text is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(text);
}

/** The resource that a permission names: `cards` of `cards:read`. */
export function resourceOf(permission: Permission): Resource {
  return permission.slice(0, permission.indexOf(':')) as Resource;
}

export interface Plan {
  readonly requestsPerMinute: number;
  readonly resources: ReadonlySet<string>;
  readonly fees: FeeRates;
}

const WITHOUT_SPLIT = RESOURCES.filter(
  (resource) => resource !== 'recipients' && resource !== 'subscriptions',
);

/** All plans. A merchant's own rate limit, when set, replaces the limit of its plan. */
export const PLANS: Readonly<Record<string, Plan>> = {
  standard: { requestsPerMinute: 600, resources: new Set<string>(RESOURCES), fees: STANDARD_FEES },
  /** Payments alone: no split, no subscriptions. */
  essential: { requestsPerMinute: 300, resources: new Set<string>(WITHOUT_SPLIT), fees: ESSENTIAL_FEES },
};

export const DEFAULT_PLAN = 'standard';

/** High, so that test suites do not have to wait (contract row 1.13). */
export const SANDBOX_REQUESTS_PER_MINUTE = 3_000;

/** For fields that would sell subscriptions. */
export const NO_SUBSCRIPTIONS = 'Your plan does not include subscriptions.';

/** Whether the plan of a merchant includes subscriptions. Without them, the merchant cannot read or cancel any. */
export function hasSubscriptions({ plan }: { readonly plan: string }): boolean {
  return planNamed(plan).resources.has('subscriptions');
}

/** The plan of that name, or the default plan if it no longer exists. */
export function planNamed(name: string): Plan {
  return PLANS[name] ?? PLANS[DEFAULT_PLAN]!;
}
