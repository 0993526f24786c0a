import { randomUUID } from 'node:crypto';

export const CPF = '52998224725';
export const OTHER_CPF = '11144477735';
export const CNPJ = '11222333000181';
/** With letters, as issued since July 2026. */
export const ALPHANUMERIC_CNPJ = '12ABC34501DE35';

export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

export const ADDRESS = {
  type: 'billing',
  line_1: 'Avenida Paulista',
  number: '1578',
  line_2: 'Conjunto 42',
  neighborhood: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
  postal_code: '01310200',
  country: 'BR',
};

export const PHONE = { type: 'commercial', ddi: '55', ddd: '11', number: '33224455' };

export const PARTNER = {
  name: 'Bruno Lima',
  email: 'bruno.lima@example.com',
  document: OTHER_CPF,
  birthday: '1984-07-09',
  nationality: 'Brasileira',
  type: 'SO',
  role_description: 'Sócio administrador',
  phone: { type: 'mobile', ddd: '11', number: '987654321' },
};

export const BANK_ACCOUNT = {
  bank_ispb: '60701190',
  holder_name: 'Studio Norte Holder',
  branch_number: '3421',
  branch_check_digit: '5',
  account_number: '7700981234',
  account_check_digit: '4',
  pix_key: 'chave-pix@studionorte.example.com',
  pix_key_type: 'email',
  status: 'approved',
  receiver_type: 'checking',
};

/** The body of a new recipient that is a company. A field given as undefined is left out. */
export function companyBody(fields: object = {}) {
  return {
    external_reference: 'studio-norte',
    email: newEmail(),
    legal_name: 'Studio Norte Produções Ltda',
    trade_name: 'Studio Norte',
    status: 'approved',
    type: 'company',
    company_type: 'LTDA',
    founding_date: '2019-03-12',
    document: { type: 'cnpj', value: ALPHANUMERIC_CNPJ },
    phone: PHONE,
    address: ADDRESS,
    managing_partners: [PARTNER],
    ...fields,
  };
}

/** The same of a natural person. */
export function individualBody(fields: object = {}) {
  return companyBody({
    type: 'individual',
    company_type: 'AUT',
    name: 'Carla Dias',
    birthday: '1990-02-17',
    founding_date: undefined,
    document: { type: 'cpf', value: CPF },
    ...fields,
  });
}

export function customerBody(fields: object = {}) {
  return { name: 'Ana Souza', email: newEmail(), ...fields };
}
