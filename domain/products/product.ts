import type { Metadata } from '../metadata.ts';

/** Something that the merchant sells. Its prices are its offers. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
