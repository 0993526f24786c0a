import type { Express } from 'express';
import type { Config } from '../config.ts';
import { waitForTurn } from '../handlers/http/admission/pages.ts';
import { refuseOtherHosts } from '../handlers/http/host-names.ts';
import type { CallOperation } from '../handlers/http/page-calls.ts';
import { isOwnCardKey } from '../services/cards/card-encryption-key.ts';
import type { Deps } from '../services/deps.ts';
import type { DemoMerchant } from '../services/sandbox/demo-merchant.ts';
import { bankSlipPages } from '../web/bank-slip-pages.ts';
import type { BuiltSite } from '../web/built-site.ts';
import { checkoutPages } from '../web/checkout/checkout-pages.ts';
import { contractPages } from '../web/contract-pages.ts';
import { docsPages } from '../web/docs-pages.ts';
import { libraryPages } from '../web/library-pages.ts';
import { logoPages } from '../web/logo-pages.ts';

/**
 * Returns a function that adds the contract, the card library, the docs and the pages of buyers to the public listener.
 */
export function sitePages(
  site: BuiltSite,
  { environment, publicHosts }: Config,
  deps: Deps,
  demo: () => DemoMerchant | null,
): (app: Express, callOperation: CallOperation) => void {
  const isSandbox = environment === 'sandbox';
  return (app, callOperation) => {
    app.use(
      contractPages(),
      libraryPages(site, (key) => isOwnCardKey(deps, key)),
    );
    // The docs of a sandbox show the demo key.
    if (isSandbox) app.use('/docs', refuseOtherHosts(publicHosts));
    app.use(docsPages(site, { isSandbox, demo }));
    app.use(['/bank-slips', '/logos'], waitForTurn);
    app.use(bankSlipPages(deps), logoPages(deps), checkoutPages(site, { isSandbox, call: callOperation }));
  };
}
