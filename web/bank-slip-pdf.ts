import type { PrintableBankSlip, Purchase } from '../services/payments/methods/find-bank-slip.ts';
import { PdfSheet, type TextStyle } from './pdf-sheet.ts';

/** The left edge, the width of the form, and the width of its right column, in millimetres. */
const LEFT = 15;
const WIDTH = 180;
const COLUMN = 50;
const REST = WIDTH - COLUMN;
const ROW = 9;

/** FEBRABAN: the barcode is 103 by 13 mm, with 5 mm of white at its left. */
const BARCODE = { width: 103, height: 13, margin: 5 };

const RECEIPT_TOP = 32;
const CUT_TOP = 100;
const FORM_TOP = 112;

const PAY_AT = 'Pague em qualquer banco, lotérica ou aplicativo de banco, até o vencimento.';
const INSTRUCTIONS = [
  'Se o vencimento cair em sábado, domingo ou feriado, pague no próximo dia útil, sem acréscimo.',
  'Não receber após esse dia. Não receber valor diferente do valor do documento.',
];
const NO_BANK_TAKES_IT = 'BOLETO DE TESTE: nenhum banco o aceita.';
const STAMPS = { paid: 'PAGO', expired: 'VENCIDO' } as const;

/** A boleto as a PDF of one page: a receipt for the payer, and the form that the bank reads. */
export async function bankSlipPdf(slip: PrintableBankSlip): Promise<Buffer> {
  const sheet = await PdfSheet.open(
    `Boleto ${documentNumber(slip.purchase)}`,
    new Date(`${slip.issuedOn}T12:00:00Z`),
  );
  sheet.text(LEFT, 14, REST, slip.beneficiary.name, { size: 15, isBold: true });
  sheet.text(LEFT, 21, REST, purchaseLine(slip.purchase));
  if (slip.isTest) sheet.text(LEFT, 8, WIDTH, NO_BANK_TAKES_IT, { size: 8, isBold: true, align: 'right' });
  drawReceipt(sheet, slip);
  sheet.text(LEFT, CUT_TOP - 4, WIDTH, 'Corte na linha pontilhada', { size: 6.5, align: 'right' });
  sheet.dashes(LEFT, CUT_TOP, WIDTH);
  drawForm(sheet, slip);
  if (slip.ended !== null) sheet.stamp(LEFT + WIDTH / 2, 148, STAMPS[slip.ended]);
  return sheet.end();
}

function drawReceipt(sheet: PdfSheet, slip: PrintableBankSlip): void {
  const field = fieldsFrom(sheet, RECEIPT_TOP);
  field({ x: 0, y: 0, width: REST }, 'Beneficiário', [party(slip.beneficiary)]);
  field({ x: REST, y: 0, width: COLUMN }, 'Vencimento', [day(slip.dueDate)], {
    align: 'right',
    isBold: true,
  });
  field({ x: 0, y: ROW, width: REST }, 'Pagador', [party(slip.payer)]);
  field({ x: REST, y: ROW, width: COLUMN }, 'Valor do documento', [reais(slip.amount_centavos)], {
    align: 'right',
    isBold: true,
  });
  field({ x: 0, y: 2 * ROW, width: WIDTH }, 'Linha digitável', [slip.line], { size: 12, isBold: true });
  const below = RECEIPT_TOP + 3 * ROW + 4;
  sheet.text(LEFT, below, WIDTH, 'Como pagar', { isBold: true });
  sheet.text(
    LEFT,
    below + 5,
    WIDTH,
    'No aplicativo do seu banco: leia o código de barras ou digite a linha.',
  );
  sheet.text(LEFT, below + 10, WIDTH, 'No caixa eletrônico, na agência ou na lotérica: leve esta página.');
  sheet.text(LEFT, below + 15, WIDTH, 'O pagamento é confirmado em até 2 dias úteis.');
  sheet.text(LEFT, RECEIPT_TOP - 4, WIDTH, 'Recibo do pagador', { size: 7, align: 'right' });
}

function drawForm(sheet: PdfSheet, slip: PrintableBankSlip): void {
  sheet.text(LEFT, FORM_TOP - 8, 30, slip.bank, { size: 16, isBold: true });
  sheet.text(LEFT + 20, FORM_TOP - 7, WIDTH - 20, slip.line, { size: 12, isBold: true, align: 'right' });
  const field = fieldsFrom(sheet, FORM_TOP);
  const right: TextStyle = { align: 'right', isBold: true };
  field({ x: 0, y: 0, width: REST }, 'Local de pagamento', [PAY_AT]);
  field({ x: REST, y: 0, width: COLUMN }, 'Vencimento', [day(slip.dueDate)], right);
  field({ x: 0, y: ROW, width: REST }, 'Beneficiário', [party(slip.beneficiary)]);
  field({ x: REST, y: ROW, width: COLUMN }, 'Valor do documento', [reais(slip.amount_centavos)], right);
  field({ x: 0, y: 2 * ROW, width: 40 }, 'Data do documento', [day(slip.issuedOn)]);
  field({ x: 40, y: 2 * ROW, width: 70 }, 'Número do documento', [documentNumber(slip.purchase)]);
  field({ x: 110, y: 2 * ROW, width: REST - 110 }, 'Espécie', ['R$']);
  field({ x: REST, y: 2 * ROW, width: COLUMN }, 'Valor cobrado', [], right);
  field({ x: 0, y: 3 * ROW, width: WIDTH }, 'Instruções', INSTRUCTIONS);
  const instructionsEnd = 3 * ROW + heightOf(INSTRUCTIONS);
  const payer = [party(slip.payer), ...addressLines(slip.payer.address)];
  field({ x: 0, y: instructionsEnd, width: WIDTH }, 'Pagador', payer);
  const bars = FORM_TOP + instructionsEnd + heightOf(payer) + 5;
  sheet.bars(LEFT + BARCODE.margin, bars, BARCODE.width, BARCODE.height, slip.barcode);
  sheet.text(LEFT, bars, WIDTH, 'Ficha de compensação', { size: 7, isBold: true, align: 'right' });
  sheet.text(LEFT, bars + 4, WIDTH, 'Autenticação mecânica', { size: 7, align: 'right' });
}

/** A place relative to the form's upper left corner, in mm. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

type DrawField = (place: Place, label: string, lines: readonly string[], style?: TextStyle) => void;

/** Returns a function that draws a framed field. */
function fieldsFrom(sheet: PdfSheet, top: number): DrawField {
  return ({ x, y, width }, label, lines, style) => {
    sheet.frame(LEFT + x, top + y, width, heightOf(lines));
    sheet.text(LEFT + x + 1, top + y + 0.8, width - 2, label, { size: 6.5 });
    lines.forEach((line, i) => {
      sheet.text(LEFT + x + 1, top + y + 3.9 + i * 4, width - 2, line, style);
    });
  };
}

function heightOf(lines: readonly string[]): number {
  return ROW + Math.max(lines.length - 1, 0) * 4;
}

function party({ name, document }: PrintableBankSlip['beneficiary']): string {
  if (document === null) return name;
  return `${name} - ${document.includes('/') ? 'CNPJ' : 'CPF'} ${document}`;
}

function purchaseLine({ code, cycle }: Purchase): string {
  return cycle === null ? `Pedido ${code}` : `Assinatura ${code} - ciclo ${cycle}`;
}

function documentNumber({ code, cycle }: Purchase): string {
  return cycle === null ? code : `${code}/${cycle}`;
}

function addressLines(address: PrintableBankSlip['payer']['address']): string[] {
  const { line1, number, line2, neighborhood, postalCode, city, state } = address;
  const street = [`${line1}, ${number}`, line2, neighborhood].filter(Boolean).join(' - ');
  return [street, `${postalCode.replace(/^(\d{5})(\d{3})$/, '$1-$2')} ${city} - ${state}`];
}

/** `2026-11-24` as `24/11/2026`. */
function day(date: string): string {
  return date.split('-').reverse().join('/');
}

function reais(centavos: number): string {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(centavos / 100);
}
