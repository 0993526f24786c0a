import { createRequire } from 'node:module';

interface Image {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

// Neither package tells TypeScript how it is to be imported as a module.
const requireModule = createRequire(import.meta.url);
const { PNG } = requireModule('pngjs') as { PNG: { sync: { read(png: Buffer): Image } } };
const decodeQr = requireModule('jsqr') as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null;

/** The text of a QR in a `data:image/png;base64,` address, read from its pixels; null when there is none. */
export function readQrImage(address: string): string | null {
  const prefix = 'data:image/png;base64,';
  if (!address.startsWith(prefix)) return null;
  const { data, width, height } = PNG.sync.read(Buffer.from(address.slice(prefix.length), 'base64'));
  return decodeQr(new Uint8ClampedArray(data), width, height)?.data ?? null;
}
