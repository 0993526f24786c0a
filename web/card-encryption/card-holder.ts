import type { CardProblem } from './card-error.ts';

/** The card holder, an optional part of the encrypted document. The API does not process it yet. */
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

/** A card holder as passed by the caller. Every field is optional. */
interface GivenHolder {
  name?: string;
  identification?: { type?: string; number?: string };
}

/** The card holder with the fields that the API knows; undefined if it has none. */
export function cardHolderOf(value: unknown): GivenHolder | undefined {
  const identification = textsOf(fieldOf(value, 'identification'), ['type', 'number']);
  const holder: GivenHolder = { ...textsOf(value, ['name']), ...(identification && { identification }) };
  return Object.keys(holder).length === 0 ? undefined : holder;
}

/** The problems of the card holder. Only its length is checked. */
export function cardHolderProblems(value: unknown): CardProblem[] {
  const { name = '', identification } = cardHolderOf(value) ?? {};
  const longest = Math.max(identification?.type?.length ?? 0, identification?.number?.length ?? 0);
  if (name.length <= NAME_MAX_CHARACTERS && longest <= IDENTIFICATION_MAX_CHARACTERS) return [];
  const message = `The name of the card holder has at most ${NAME_MAX_CHARACTERS} characters, the document ${IDENTIFICATION_MAX_CHARACTERS}.`;
  return [{ field: 'cardHolder', code: 'length', message }];
}

/** The non-empty texts of an object with these names; undefined if there are none. */
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
