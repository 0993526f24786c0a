import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import zxing from '@zxing/library';

/**
 * At this resolution, a module of a boleto's barcode is six pixels wide. The decoder needs modules of a whole number of
 * pixels, and sometimes fails with three.
 */
const DPI = 600;
const POINTS_PER_INCH = 72;

/** How many pages a PDF has, and the text of the first one. Every run of white space in it is one space. */
export function readPdf(bytes: Uint8Array): Promise<{ pages: number; text: string }> {
  return withFirstPage(bytes, async (page, pages) => ({ pages, text: page.getText().replace(/\s+/g, ' ') }));
}

/**
 * The digits of the Interleaved 2 of 5 barcode on the first page, read from its pixels as a scanner does; null if there
 * is none.
 */
export function scanBarcode(bytes: Uint8Array): Promise<string | null> {
  return withFirstPage(bytes, async (page) => {
    const { data, width, height } = await page.render({ scale: DPI / POINTS_PER_INCH, render: 'bitmap' });
    // Four bytes a pixel. The bars are black, so that one of them is enough.
    const grey = Uint8ClampedArray.from({ length: width * height }, (_, i) => data[i * 4]!);
    return decode(new zxing.RGBLuminanceSource(grey, width, height));
  });
}

/** A document can be used once: after a page was rendered, this version of the library fails. */
async function withFirstPage<Result>(
  bytes: Uint8Array,
  read: (page: PDFiumPage, pages: number) => Promise<Result>,
): Promise<Result> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  try {
    return await read(document.getPage(0), document.getPageCount());
  } finally {
    document.destroy();
    library.destroy();
  }
}

function decode(source: zxing.RGBLuminanceSource): string | null {
  const reader = new zxing.MultiFormatReader();
  reader.setHints(
    new Map<zxing.DecodeHintType, unknown>([
      [zxing.DecodeHintType.POSSIBLE_FORMATS, [zxing.BarcodeFormat.ITF]],
      [zxing.DecodeHintType.ALLOWED_LENGTHS, [44]],
    ]),
  );
  try {
    return reader.decode(new zxing.BinaryBitmap(new zxing.GlobalHistogramBinarizer(source))).getText();
  } catch (error) {
    if (error instanceof zxing.NotFoundException) return null;
    throw error;
  }
}
