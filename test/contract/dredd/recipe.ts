import type { operations } from '../../../generated/types.ts';
import type { OperationId } from '../../../handlers/http/handler.ts';
import type { Json } from '../../support/service.ts';
import type { DocumentedAnswer } from './documented-answers.ts';
import type { ContractMerchant } from './merchant.ts';
import type { Target } from './target.ts';

/** The request of a transaction. A part that is left out is taken from the contract's first example. */
export interface RecipeRequest {
  /** Null sends none. Default: the merchant's. */
  readonly key?: string | null;
  readonly path?: Readonly<Record<string, string>>;
  /** In place of all of the example's. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another server than the one under test. */
  readonly baseUrl?: string;
  /** Runs after any answer. If it throws, the transaction fails. */
  readonly after?: () => Promise<void>;
}

/** What a recipe works with. */
export interface Scene {
  readonly target: Target;
  /** A merchant that only the recipes of this operation use. */
  readonly merchant: ContractMerchant;
  readonly answer: DocumentedAnswer;
  /** The request that Dredd made from the contract's first examples. */
  readonly example: { readonly uri: string; readonly body: Json };
  /** A body from the contract's examples, of any operation. Without a name, the first. */
  exampleOf(operationId: OperationId, name?: string): Json;
}

/** Prepares what one documented answer needs, and returns its request. */
export type Recipe = (scene: Scene) => Promise<RecipeRequest>;

/** One recipe for each documented answer: one that is missing does not compile. */
export type Recipes = {
  readonly [Op in OperationId]: {
    readonly [Status in keyof operations[Op]['responses']]: Recipe;
  };
};

export type RecipesOf<Op extends OperationId> = Pick<Recipes, Op>;
