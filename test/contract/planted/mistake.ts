/** A mistake to plant into a copy of the contract, and how the linter must name it. */
export interface PlantedMistake {
  readonly what: string;
  /** File under `spec/`, the text in it that is replaced, and by what. */
  readonly file: string;
  readonly text: string | RegExp;
  readonly by: string;
  readonly rule: string;
  /** Part of the reported place; the file itself unless said otherwise. */
  readonly where?: string;
  readonly message?: RegExp;
}

/** One mistake: the rule that must find it, what it is, and the replacement that plants it. */
export function mistake(
  rule: string,
  what: string,
  planted: Omit<PlantedMistake, 'rule' | 'what'>,
): PlantedMistake {
  return { rule, what, ...planted };
}
