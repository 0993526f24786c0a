import { archiveOffer } from './archive-offer.ts';
import { createOffer } from './create-offer.ts';
import { createProduct } from './create-product.ts';
import { getOffer } from './get-offer.ts';
import { getProduct } from './get-product.ts';
import { listOffers } from './list-offers.ts';
import { listProducts } from './list-products.ts';
import { restoreOffer } from './restore-offer.ts';
import { updateOffer } from './update-offer.ts';
import { updateProduct } from './update-product.ts';

export const products = {
  archiveOffer,
  createOffer,
  createProduct,
  getOffer,
  getProduct,
  listOffers,
  listProducts,
  restoreOffer,
  updateOffer,
  updateProduct,
};
