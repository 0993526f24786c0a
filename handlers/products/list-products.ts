import { listProducts as listProductsService } from '../../services/products/find-product.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { productAnswer } from './product-answer.ts';

export const listProducts: Handler<'listProducts'> = async ({ deps, merchant, query }) => {
  const page = await listProductsService(deps, merchant, { name: query.name, page: pageInput(query) });
  return { status: 200, body: pageAnswer(page, productAnswer) };
};
