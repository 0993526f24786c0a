import type { Metadata } from '../../domain/metadata.ts';
import type { Product } from '../../domain/products/product.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface ProductRow {
  id: string;
  name: string;
  description: string | null;
  metadata: Metadata;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, name, description, metadata, created_at, updated_at';
const SELECT_BY_ID = `select ${COLUMNS} from products where {scope} and id = :id`;

/** A product by its id. */
export async function findProduct(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Product | undefined> {
  const row = await q.maybeOne<ProductRow>(scope, SELECT_BY_ID, { id });
  return row && toProduct(row);
}

/** The same, locked until the transaction ends. */
export async function lockProduct(tx: Tx, scope: MerchantScope, id: string): Promise<Product | undefined> {
  const row = await tx.maybeOne<ProductRow>(scope, `${SELECT_BY_ID} for no key update`, { id });
  return row && toProduct(row);
}

/** Adds a product. Returns undefined when its id exists. */
export async function insertProduct(
  tx: Tx,
  scope: MerchantScope,
  product: Product,
): Promise<Product | undefined> {
  const row = await tx.maybeOne<ProductRow>(
    scope,
    `insert into products (slot, merchant_id, id, name, description, metadata, created_at, updated_at)
     values (:slot, :merchant_id, :id, :name, :description, :metadata, :created_at, :updated_at)
     on conflict do nothing
     returning ${COLUMNS}`,
    { ...changeable(product), created_at: product.createdAt },
  );
  return row && toProduct(row);
}

/** Writes every field that can change. */
export async function updateProduct(tx: Tx, scope: MerchantScope, product: Product): Promise<Product> {
  const row = await tx.one<ProductRow>(
    scope,
    `update products
        set name = :name, description = :description, metadata = :metadata, updated_at = :updated_at
      where {scope} and id = :id
      returning ${COLUMNS}`,
    changeable(product),
  );
  return toProduct(row);
}

export interface ProductFilter {
  readonly name?: string | undefined;
}

const PRODUCTS = defineList<ProductRow, ProductFilter>({
  columns: COLUMNS,
  from: 'products',
  filters: { name: equals('name') },
});

/** Products of the merchant, newest first. */
export async function listProducts(
  q: Queryable,
  scope: MerchantScope,
  filter: ProductFilter,
  page: PageRequest,
): Promise<Page<Product>> {
  return mapPage(await fetchPage(q, scope, PRODUCTS, filter, page), toProduct);
}

function changeable(product: Product) {
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    metadata: JSON.stringify(product.metadata),
    updated_at: product.updatedAt,
  };
}

function toProduct(row: ProductRow): Product {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
