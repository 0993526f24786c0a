import type { BenchMerchant } from './merchants.ts';
import type { MeasuredProcess } from './processes.ts';

const LINK = {
  title: 'Workshop de retrato',
  description: 'Sábado, 10h, com café.',
  amount_type: 'fixed',
  amount: 15_990,
  payment_methods: ['credit_card', 'pix', 'bank_slip'],
  max_installments: 12,
  brand_color: '#1a7f5a',
};

/** Creates a payment link through the API of the service. Returns its hash. */
export async function createLink(service: MeasuredProcess, { apiKey }: BenchMerchant): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/payment-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(LINK),
  });
  if (!response.ok) throw new Error(`/payment-links was answered with ${response.status}.`);
  return ((await response.json()) as { hash: string }).hash;
}
