type Color = readonly [red: number, green: number, blue: number];

/** The colors of a page, in hex. */
export interface BrandColors {
  /** The background of buttons, as the merchant chose it. */
  readonly brand: string;
  /** Text on it. */
  readonly onBrand: string;
  /** The brand as text and lines on the light and on the dark page. */
  readonly accentLight: string;
  readonly accentDark: string;
}

const DEFAULT_BRAND = '#0b6b53';
const WHITE: Color = [255, 255, 255];
const BLACK: Color = [0, 0, 0];
/** The darkest background of the light page, and the lightest of the dark one (checkout.css). */
const LIGHT_BACK: Color = [244, 246, 248];
const DARK_BACK: Color = [30, 34, 39];
/** For text (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

/** The colors for a brand color of 3, 4, 6 or 8 hex digits, or for none. Transparency is ignored. All can be read. */
export function brandColors(brand: string | null): BrandColors {
  const color = parsed(brand ?? '') ?? parsed(DEFAULT_BRAND)!;
  const onBrand = contrast(color, WHITE) >= LEAST_CONTRAST ? WHITE : BLACK;
  return {
    brand: hexOf(color),
    onBrand: hexOf(onBrand),
    accentLight: hexOf(readable(color, LIGHT_BACK, BLACK)),
    accentDark: hexOf(readable(color, DARK_BACK, WHITE)),
  };
}

/** The color, mixed with `pole` as little as is needed to read it on `back`. */
function readable(color: Color, back: Color, pole: Color): Color {
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = color.map((value, at) =>
      Math.round(value + (pole[at]! - value) * part),
    ) as unknown as Color;
    if (contrast(mixed, back) >= LEAST_CONTRAST) return mixed;
  }
  return pole;
}

function parsed(text: string): Color | null {
  const short = /^#([\da-f])([\da-f])([\da-f])[\da-f]?$/i.exec(text);
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})(?:[\da-f]{2})?$/i.exec(text);
  const parts = short?.slice(1).map((digit) => digit + digit) ?? long?.slice(1);
  return parts === undefined ? null : (parts.map((part) => Number.parseInt(part, 16)) as unknown as Color);
}

function hexOf(color: Color): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: Color, other: Color): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
