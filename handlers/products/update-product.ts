import { updateProduct as updateProductService } from '../../services/products/update-product.ts';
import type { Handler } from '../http/handler.ts';
import { productAnswer } from './product-answer.ts';

export const updateProduct: Handler<'updateProduct'> = ({ deps, merchant, path, body, answer }) =>
  updateProductService(
    deps,
    merchant,
    { id: path.id, changes: body },
    answer((product) => ({ status: 200, body: productAnswer(product) })),
  );
