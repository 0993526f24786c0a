import { MAGIC_VALUES, type MagicValue } from '../gateway/simulator/magic-values.ts';

const HEADINGS: Readonly<Record<MagicValue['kind'], string>> = {
  card: '**Card numbers**, with any holder, any security code and an expiry that is not past:',
  amount: '**Amounts of a Pix or boleto**:',
  document: '**CPF of the customer**, by every method:',
};

/** The magic values of the simulated acquirer as Markdown tables. */
export function magicValueTables(): string {
  const kinds = Object.keys(HEADINGS) as MagicValue['kind'][];
  return kinds.map((kind) => `${HEADINGS[kind]}\n\n${table(kind)}`).join('\n\n');
}

function table(kind: MagicValue['kind']): string {
  const rows = MAGIC_VALUES.filter((row) => row.kind === kind);
  const lines = rows.map(({ value, description }) => `| ${shown(kind, value)} | ${description} |`);
  return ['| Value | What happens |', '|---|---|', ...lines].join('\n');
}

/** Amounts with their reais: `99990001` (R$ 999,900.01). */
function shown(kind: MagicValue['kind'], value: string): string {
  if (kind !== 'amount') return `\`${value}\``;
  const reais = Number(value.slice(0, -2)).toLocaleString('en-US');
  return `\`${value}\` (R$ ${reais}.${value.slice(-2)})`;
}
