import { createProduct as createProductService } from '../../services/products/create-product.ts';
import type { Handler } from '../http/handler.ts';
import { productAnswer } from './product-answer.ts';

export const createProduct: Handler<'createProduct'> = ({ deps, merchant, body, newId, answer }) =>
  createProductService(
    deps,
    merchant,
    { ...body, id: newId },
    answer((product) => ({ status: 201, body: productAnswer(product) })),
  );
