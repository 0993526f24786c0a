import { buffer } from 'node:stream/consumers';
import type PDFDocument from 'pdfkit';

export interface TextStyle {
  /** Points; 9 by default. */
  readonly size?: number;
  readonly isBold?: boolean;
  readonly align?: 'left' | 'right';
}

/**
 * Unknown to the fonts of PDF: what is neither in WinAnsi, the character set of these fonts, nor has a base letter
 * there.
 */
const UNPRINTABLE = '?';
const WIN_ANSI = /[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;
const POINTS_PER_MM = 72 / 25.4;

/**
 * One page in A4. Places and sizes are in millimetres from the upper left corner, those of text in points. The fonts
 * are those that every PDF reader has, so that the file embeds none.
 */
export class PdfSheet {
  readonly #doc: PDFKit.PDFDocument;

  private constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
  }

  /** Loads the library when the first page is drawn, because most processes never draw one. */
  static async open(title: string, createdAt: Date): Promise<PdfSheet> {
    const { default: Document }: { default: typeof PDFDocument } = await import('pdfkit');
    const info = { Title: inFont(title), CreationDate: createdAt };
    return new PdfSheet(new Document({ size: 'A4', margin: 0, lang: 'pt-BR', displayTitle: true, info }));
  }

  /** Writes one line, and cuts it where it would leave the width. */
  text(x: number, y: number, width: number, text: string, style: TextStyle = {}): void {
    const doc = this.#doc;
    doc.font(style.isBold ? 'Helvetica-Bold' : 'Helvetica').fontSize(style.size ?? 9);
    const line = this.#fit(inFont(text), points(width));
    const indent = style.align === 'right' ? points(width) - doc.widthOfString(line) : 0;
    doc.fillColor('black').text(line, points(x) + indent, points(y), { lineBreak: false });
  }

  frame(x: number, y: number, width: number, height: number): void {
    this.#doc.lineWidth(0.5).rect(points(x), points(y), points(width), points(height)).stroke('black');
  }

  dashes(x: number, y: number, width: number): void {
    const doc = this.#doc.lineWidth(0.5).dash(3, { space: 3 });
    doc
      .moveTo(points(x), points(y))
      .lineTo(points(x + width), points(y))
      .stroke('black');
    doc.undash();
  }

  /** Draws bars; `widths` are those of bars and spaces in turn, in modules. */
  bars(x: number, y: number, width: number, height: number, widths: readonly number[]): void {
    const module = points(width) / widths.reduce((sum, each) => sum + each, 0);
    let left = points(x);
    widths.forEach((each, i) => {
      if (i % 2 === 0) this.#doc.rect(left, points(y), each * module, points(height));
      left += each * module;
    });
    this.#doc.fill('black');
  }

  /** Writes large and pale letters across the page, upwards, centred at a point. */
  stamp(x: number, y: number, text: string): void {
    const doc = this.#doc.save().font('Helvetica-Bold').fontSize(110);
    const left = points(x) - doc.widthOfString(text) / 2;
    const top = points(y) - doc.currentLineHeight() / 2;
    doc.rotate(-20, { origin: [points(x), points(y)] });
    doc.fillColor('#b00020', 0.22).text(text, left, top, { lineBreak: false });
    doc.restore();
  }

  /** The file. Nothing can be drawn after it. */
  async end(): Promise<Buffer> {
    const bytes = buffer(this.#doc as unknown as NodeJS.ReadableStream);
    this.#doc.end();
    return bytes;
  }

  #fit(text: string, width_pt: number): string {
    if (this.#doc.widthOfString(text) <= width_pt) return text;
    let length = text.length;
    while (length > 0 && this.#doc.widthOfString(`${text.slice(0, length)}…`) > width_pt) length -= 1;
    return `${text.slice(0, length)}…`;
  }
}

function points(mm: number): number {
  return mm * POINTS_PER_MM;
}

/** The text in the characters of the fonts: a letter with an unknown accent loses it. */
function inFont(text: string): string {
  const characters = [...text.normalize('NFC').replace(/[\s\p{Cc}]+/gu, ' ')];
  return characters.map((each) => (WIN_ANSI.test(each) ? each : withoutAccent(each))).join('');
}

function withoutAccent(character: string): string {
  return character.normalize('NFKD').replace(/[^ -~]/g, '') || UNPRINTABLE;
}
