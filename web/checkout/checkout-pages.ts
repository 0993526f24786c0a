import express, { type RequestHandler, Router } from 'express';
import type { BuiltSite } from '../built-site.ts';
import { staticAsset } from '../static-asset.ts';
import { BuyerPages, type CheckoutPagesOptions } from './buyer-pages.ts';

/** The first part of the path of a page where something can be paid. */
const CHECKOUT_KIND = /^[lcs]$/;

/** Reads the forms of buyers, up to 32 KB each. */
export function checkoutForms(): RequestHandler {
  const readForm = express.urlencoded({ extended: false, limit: '32kb', parameterLimit: 40 });
  return Router().post('/:kind/:hash', (request, response, next) =>
    CHECKOUT_KIND.test(request.params.kind) ? readForm(request, response, next) : next(),
  );
}

/**
 * Serves the pages of buyers: `/l/{hash}` of a payment link, `/c/{hash}` and `/s/{hash}` of an offer, `/p/{hash}` of a
 * payment, and `/a/{hash}` of a subscription. They show the public checkout operations, so the same limits hold.
 */
export function checkoutPages(site: BuiltSite, options: CheckoutPagesOptions): RequestHandler {
  const router = Router();
  for (const file of site.files.filter(({ path }) => path.startsWith('/checkout/')))
    router.get(file.path, staticAsset({ ...file, load: () => site.load(file) }));
  const pages = new BuyerPages(options);
  router.get('/:kind/:hash', (request, response, next) => {
    if (CHECKOUT_KIND.test(request.params.kind)) return pages.showCheckout(request, response);
    if (request.params.kind === 'p') return pages.showPayment(request, response);
    return request.params.kind === 'a' ? pages.showSubscription(request, response) : next();
  });
  router.post('/:kind/:hash', (request, response, next) =>
    CHECKOUT_KIND.test(request.params.kind) ? void pages.pay(request, response).catch(next) : next(),
  );
  return router;
}
