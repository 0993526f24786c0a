import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import { isCountryInAnyCase } from '../../domain/countries.ts';
import { isValidCnpj, isValidCpf } from '../../domain/documents.ts';
import { RULE_SENTENCES } from '../../services/document-rules.ts';

interface BusinessRule {
  /** Only matching texts are checked, because the schema's pattern refuses others. */
  readonly shape: RegExp;
  readonly holds: (text: string) => boolean;
  readonly sentence: string;
}

/**
 * Business rules that JSON Schema cannot express. The contract refers to them by `x-rule`, so that one answer reports
 * wrong check digits together with the other violations of a request.
 */
const RULES: Readonly<Record<string, BusinessRule>> = {
  cpf: { shape: /^[0-9]{11}$/, holds: isValidCpf, sentence: RULE_SENTENCES.cpf },
  cnpj: {
    shape: /^[0-9A-Z]{12}[0-9]{2}$/,
    holds: isValidCnpj,
    sentence: RULE_SENTENCES.cnpj,
  },
  country: {
    shape: /^[A-Za-z]{2}$/,
    holds: isCountryInAnyCase,
    sentence: RULE_SENTENCES.country,
  },
};

/** Adds the keyword `x-rule` to a validator. Throws on a rule that does not exist. */
export function addBusinessRules(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-rule',
    type: 'string',
    schemaType: 'string',
    errors: true,
    compile(name: string): DataValidateFunction {
      const rule = RULES[name];
      if (rule === undefined) throw new Error(`The contract names an unknown rule: ${name}`);
      const validate: DataValidateFunction = (text: string) => {
        if (!rule.shape.test(text) || rule.holds(text)) return true;
        validate.errors = [{ keyword: 'x-rule', message: rule.sentence, params: {} }];
        return false;
      };
      return validate;
    },
  });
}
