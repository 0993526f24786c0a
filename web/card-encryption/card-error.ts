/** The fields of a card, with the names of the API. */
export type CardField = 'number' | 'holder' | 'expMonth' | 'expYear' | 'securityCode' | 'cardHolder';

export type CardProblemCode = 'required' | 'invalid' | 'check_digit' | 'length' | 'expired';

/** A problem of one field. It does not contain the value. */
export interface CardProblem {
  readonly field: CardField;
  readonly code: CardProblemCode;
  /** A sentence in English. Show your own by `field` and `code` in other languages. */
  readonly message: string;
}

/** The card was not encrypted because it is invalid. `problems` lists what to correct. */
export class CardError extends Error {
  readonly problems: readonly CardProblem[];

  constructor(problems: readonly CardProblem[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.name = 'CardError';
    this.problems = problems;
  }

  /** The problem of one field, to be shown next to it. */
  of(field: CardField): CardProblem | undefined {
    return this.problems.find((problem) => problem.field === field);
  }
}

/** The page or the key is wrong, not the card: an error of the shop, not of the buyer. */
export class EncryptionSetupError extends Error {
  readonly code: 'insecure_page' | 'invalid_key' | 'no_frame' | 'unchecked_key';

  constructor(code: EncryptionSetupError['code'], message: string) {
    super(message);
    this.name = 'EncryptionSetupError';
    this.code = code;
  }
}
