/** The fields of a card, by the names that the API uses. */
export type CardField = 'number' | 'holder' | 'expMonth' | 'expYear' | 'securityCode' | 'cardHolder';

export type CardProblemCode = 'required' | 'invalid' | 'check_digit' | 'length' | 'expired';

/** What is wrong with one field. Neither text holds the value. */
export interface CardProblem {
  readonly field: CardField;
  readonly code: CardProblemCode;
  /** A sentence in English. Show your own by `field` and `code` in other languages. */
  readonly message: string;
}

/** The card was not encrypted because it cannot be right: `problems` says what to correct. */
export class CardError extends Error {
  readonly problems: readonly CardProblem[];

  constructor(problems: readonly CardProblem[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.name = 'CardError';
    this.problems = problems;
  }

  /** The problem of one field, to be shown beside it. */
  of(field: CardField): CardProblem | undefined {
    return this.problems.find((problem) => problem.field === field);
  }
}

/** The card may be right, but the page or the key is not: a mistake of the shop, not of the buyer. */
export class EncryptionSetupError extends Error {
  readonly code: 'insecure_page' | 'invalid_key';

  constructor(code: 'insecure_page' | 'invalid_key', message: string) {
    super(message);
    this.name = 'EncryptionSetupError';
    this.code = code;
  }
}
