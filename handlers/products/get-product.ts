import { findProduct } from '../../services/products/find-product.ts';
import type { Handler } from '../http/handler.ts';
import { productAnswer } from './product-answer.ts';

export const getProduct: Handler<'getProduct'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: productAnswer(await findProduct(deps, merchant, path.id)),
});
