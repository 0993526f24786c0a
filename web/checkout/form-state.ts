import type { Field, FormValues } from './form-body.ts';
import type { Words } from './words/words.ts';

/** What is shown in the form besides the checkout. */
export interface FormState {
  /** The `Idempotency-Key` of the payment that this form makes. */
  readonly key: string;
  readonly values: FormValues;
  /** Fields with a problem. */
  readonly wrong: readonly string[];
  /** A sentence above the form. */
  readonly failure: string | null;
}

/** The parts that every field of the form has. */
export function named(name: Field, words: Words, { values, wrong }: FormState) {
  const labels: Readonly<Record<string, string>> = words.labels;
  const problems: Readonly<Record<string, string>> = words.problems;
  return {
    id: name,
    name,
    label: labels[name]!,
    value: values[name],
    problem: wrong.includes(name) ? problems[name] : undefined,
  };
}
