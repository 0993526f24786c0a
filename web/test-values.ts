import { escapeHtml, tableHtml } from './html.ts';
import { toHtml } from './markdown.ts';

/** A value that decides what the sandbox's acquirer does, from its own table. */
export interface TestValue {
  readonly kind: 'card' | 'amount' | 'document';
  readonly value: string;
  readonly description: string;
}

const HEADINGS: Readonly<Record<TestValue['kind'], string>> = {
  card: 'Card number',
  amount: 'Amount of the Pix or boleto',
  document: 'CPF of the customer',
};

/** An HTML table of the values of one kind. */
export function testValueTable(values: readonly TestValue[], kind: TestValue['kind']): string {
  const rows = values
    .filter((row) => row.kind === kind)
    .map(({ value, description }) => [`<code>${escapeHtml(value)}</code>`, inline(description)]);
  return tableHtml([HEADINGS[kind], 'What happens'], rows);
}

function inline(markdown: string): string {
  return toHtml(markdown)
    .trim()
    .replace(/^<p>|<\/p>$/g, '');
}
