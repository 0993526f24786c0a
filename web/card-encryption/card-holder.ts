import type { CardProblem } from './card-error.ts';

/** Who holds the card, as the encrypted document may say beside the card. The API does not process it yet. */
export interface CardHolder {
  readonly name: string;
  readonly identification?: CardHolderIdentification;
}

/** A document of the card holder, such as `CPF` and its digits. */
export interface CardHolderIdentification {
  readonly type: string;
  readonly number: string;
}

const NAME_MAX_CHARACTERS = 191;
const IDENTIFICATION_MAX_CHARACTERS = 64;

/** A card holder as callers hand it over: any field may be missing. */
interface GivenHolder {
  name?: string;
  identification?: { type?: string; number?: string };
}

/** The card holder with the fields that the API knows; undefined where none is given. */
export function cardHolderOf(value: unknown): GivenHolder | undefined {
  const identification = textsOf(fieldOf(value, 'identification'), ['type', 'number']);
  const holder: GivenHolder = { ...textsOf(value, ['name']), ...(identification && { identification }) };
  return Object.keys(holder).length === 0 ? undefined : holder;
}

/** What is wrong with the card holder: only its length can be. */
export function cardHolderProblems(value: unknown): CardProblem[] {
  const { name = '', identification } = cardHolderOf(value) ?? {};
  const longest = Math.max(identification?.type?.length ?? 0, identification?.number?.length ?? 0);
  if (name.length <= NAME_MAX_CHARACTERS && longest <= IDENTIFICATION_MAX_CHARACTERS) return [];
  const message = `The name of the card holder has at most ${NAME_MAX_CHARACTERS} characters, the document ${IDENTIFICATION_MAX_CHARACTERS}.`;
  return [{ field: 'cardHolder', code: 'length', message }];
}

/** The texts of an object by these names, without those that are empty; undefined where there is none. */
function textsOf(value: unknown, names: readonly string[]): Record<string, string> | undefined {
  const texts = names.map((name) => [name, textOf(fieldOf(value, name))]).filter(([, text]) => text !== '');
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A text or number as text, without white space around it; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
