import { isCountry } from '../domain/countries.ts';
import { isValidCnpj, isValidCpf } from '../domain/documents.ts';
import type { Violations } from './refusal.ts';

/** Adds a violation on `path` when the check digits of a CPF or CNPJ are wrong. A passport has none. */
export function checkDocument(violations: Violations, path: string, type: string, value: string): void {
  if (type === 'cpf' && !isValidCpf(value)) {
    violations.add(path, 'Must be a valid CPF: 11 digits whose check digits fit.');
  }
  if (type === 'cnpj' && !isValidCnpj(value)) {
    violations.add(path, 'Must be a valid CNPJ: 14 characters whose check digits fit.');
  }
}

/** ISO 3166-1 alpha-2 in either case. */
export function isKnownCountry(country: string): boolean {
  return isCountry(country.toUpperCase());
}
