import { documentedAnswers, keyOfTransaction, nameOf } from './documented-answers.ts';
import { contractHooks } from './hooks.ts';
import { type Report, runDredd } from './run-dredd.ts';
import { setStage } from './stage.ts';

export interface Proof {
  /** Names of the answers that the running service gave as documented: `createCustomer 201`. */
  readonly proven: readonly string[];
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly name: string;
  readonly reasons: readonly string[];
  /** What was asked and answered; absent when it did not come to that. */
  readonly test?: Report['test'];
}

export interface ProofOptions {
  /** Stands between Dredd and the service: is given the service's address, and answers with its own. */
  readonly through?: (url: string) => Promise<string>;
  /** Is told of each step as it begins. */
  readonly at?: (step: string) => void;
}

/**
 * Runs Dredd over the bundled contract against the whole service, on a database of its own. Every documented answer
 * counts once: proven, or a failure; one that Dredd left out, or that no recipe brings about, is a failure.
 */
export async function proveContract(
  text: string,
  { through, at = () => {} }: ProofOptions = {},
): Promise<Proof> {
  const document = JSON.parse(text);
  const answers = documentedAnswers(document);
  at('the start of the service');
  await using stage = await setStage();
  using _ = { [Symbol.dispose]: () => at('the stop of the service') };
  const { url } = stage.service;
  const reports = await runDredd({
    document: text,
    endpoint: `${through === undefined ? url : await through(url)}/api/v1`,
    hooks: contractHooks({ document, answers }, stage, at),
  });

  const proven: string[] = [];
  const failures: Failure[] = [];
  const left = new Map([...answers].map(([key, answer]) => [key, nameOf(answer)]));
  for (const { verdict, test, reasons } of reports) {
    const key = keyOfTransaction(test.title, test.origin);
    const name = left.get(key);
    left.delete(key);
    if (name === undefined)
      failures.push({
        name: key,
        reasons: ['Dredd ran it twice, or the contract has no such answer.'],
        test,
      });
    else if (verdict === 'pass') proven.push(name);
    else failures.push({ name, reasons: verdict === 'skip' ? ['Dredd skipped it.'] : reasons, test });
  }
  for (const name of left.values()) failures.push({ name, reasons: ['Dredd made no transaction of it.'] });
  return { proven, failures };
}
