import type { BenchMerchant } from './merchants.ts';
import type { MeasuredProcess } from './processes.ts';

/** The recipients with which split orders are shared. The numbers of a merchant's recipients begin with 1. */
export const SPLIT_RECIPIENTS = 3;

/** Creates them through the API of the service. */
export async function createRecipients(service: MeasuredProcess, { apiKey }: BenchMerchant): Promise<void> {
  for (let number = 1; number <= SPLIT_RECIPIENTS; number += 1) {
    const response = await fetch(`${service.url}/api/v1/recipients`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(recipient(number)),
    });
    if (!response.ok) throw new Error(`/recipients was answered with ${response.status}.`);
  }
}

function recipient(number: number): object {
  const phone = { type: 'commercial', ddi: '55', ddd: '11', number: '33224455' };
  return {
    external_reference: `recipient-${number}`,
    email: `recipient-${number}@example.com`,
    type: 'company',
    company_type: 'LTDA',
    status: 'approved',
    legal_name: 'Studio Norte Ltda',
    trade_name: 'Studio Norte',
    founding_date: '2019-03-12',
    document: { type: 'cnpj', value: '11222333000181' },
    phone,
    address: {
      type: 'billing',
      line_1: 'Avenida Paulista',
      number: '1000',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      postal_code: '01310100',
      country: 'BR',
    },
    managing_partners: [
      {
        name: 'Bruno Lima',
        email: 'bruno@example.com',
        document: '11144477735',
        birthday: '1984-07-09',
        nationality: 'Brasileira',
        type: 'SO',
        role_description: 'Sócio',
        phone,
      },
    ],
  };
}
