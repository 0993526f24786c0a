import { isValidCnpj, isValidCpf } from '../domain/documents.ts';
import type { Violations } from './refusal.ts';

/** The messages for texts that break these rules. */
export const RULE_SENTENCES = {
  cpf: 'The check digits of the CPF are wrong.',
  cnpj: 'The check digits of the CNPJ are wrong.',
  country: 'Must be a country code of ISO 3166-1.',
} as const;

/** Adds a violation on `path` when the check digits of a CPF or CNPJ are wrong. A passport has none. */
export function checkDocument(violations: Violations, path: string, type: string, value: string): void {
  if (type === 'cpf' && !isValidCpf(value)) violations.add(path, RULE_SENTENCES.cpf);
  if (type === 'cnpj' && !isValidCnpj(value)) violations.add(path, RULE_SENTENCES.cnpj);
}
