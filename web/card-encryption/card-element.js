import { CardError, EncryptionSetupError } from './card-error.ts';

/** The address of this script. In a bundle it is that of the shop, so the element needs its attribute `server`. */
const OWN_ADDRESS = globalThis.document?.currentScript?.src || import.meta.url;
const FIRST_HEIGHT_PX = 330;
const LOADING_LIMIT_MS = 15_000;

/**
 * Defines `<centavo-card>`: the form of a card in a frame of the service, so that the shop's page cannot read it.
 * Attributes: `lang` (`pt` or `en`), and `server`, the origin of the service if the script does not come from it.
 */
export function defineCardElement() {
  if (globalThis.customElements === undefined || customElements.get('centavo-card') !== undefined) return;
  customElements.define('centavo-card', cardElement());
}

/** Made late, because programs without a document have no HTMLElement. */
function cardElement() {
  return class extends HTMLElement {
    #frame;
    #origin;
    #ready;
    #onMessage = (event) => this.#received(event);
    #setReady = () => {};

    connectedCallback() {
      const language = (this.getAttribute('lang') ?? this.closest('[lang]')?.lang ?? '').toLowerCase();
      const address = new URL(
        `/lib/card-frame/${language.startsWith('en') ? 'en' : 'pt'}`,
        this.getAttribute('server') ?? OWN_ADDRESS,
      );
      this.#origin = address.origin;
      this.#ready = new Promise((resolve) => {
        this.#setReady = resolve;
      });
      addEventListener('message', this.#onMessage);
      this.#frame = document.createElement('iframe');
      this.#frame.src = address.href;
      this.#frame.title = language.startsWith('en') ? 'Card' : 'Cartão';
      Object.assign(this.style, { display: 'block' });
      Object.assign(this.#frame.style, {
        display: 'block',
        width: '100%',
        height: `${FIRST_HEIGHT_PX}px`,
        border: '0',
        colorScheme: schemeOf(this),
      });
      this.replaceChildren(this.#frame);
    }

    disconnectedCallback() {
      removeEventListener('message', this.#onMessage);
      this.#frame?.remove();
    }

    /**
     * Encrypts the card that the buyer has typed, for the field `encrypted` of `POST /cards`. `key`: the answer of
     * `GET /cards/encryption-key`. Rejects as `encryptCard`; the frame shows what is wrong with the card.
     */
    async encrypt(key) {
      await Promise.race([this.#ready, tooLate()]);
      const { port1, port2 } = new MessageChannel();
      const answered = new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
      });
      this.#frame.contentWindow.postMessage({ centavo: 'encrypt', key }, this.#origin, [port2]);
      const { encrypted, problems, code, message } = await answered;
      port1.close();
      if (encrypted !== undefined) return encrypted;
      throw problems === undefined ? new EncryptionSetupError(code, message) : new CardError(problems);
    }

    /** The frame says how high it is, first when it is loaded. */
    #received({ source, origin, data }) {
      if (source !== this.#frame?.contentWindow || origin !== this.#origin || data?.centavo !== 'height')
        return;
      this.#frame.style.height = `${Number(data.height)}px`;
      this.#setReady();
    }
  };
}

/** The color scheme of the shop. One that names none is dark if its text is light, whatever the device prefers. */
function schemeOf(element) {
  const { color, colorScheme } = getComputedStyle(element);
  if (colorScheme !== 'normal') return 'inherit';
  return isLight(color) ? 'dark' : 'light';
}

/** The lightness of a middle gray, by the function of a color. */
const MIDDLE_LIGHTNESS = { oklch: 0.6, oklab: 0.6, lch: 53, lab: 53 };

/** Whether a computed color is light. Old browsers know `rgb(…)` only; others keep `oklch(…)` or `color(srgb …)`. */
function isLight(color) {
  const [kind, ...parts] = color.split(/[(\s,/)]+/);
  const middle = MIDDLE_LIGHTNESS[kind];
  if (middle !== undefined) return Number.parseFloat(parts[0]) > middle;
  const [red, green, blue] = (kind === 'color' ? parts.slice(1) : parts).map(Number);
  return red + green + blue > (kind === 'color' ? 3 : 3 * 255) / 2;
}

function tooLate() {
  return new Promise((_, reject) => {
    setTimeout(
      () => reject(new EncryptionSetupError('no_frame', 'The frame of the card was not loaded.')),
      LOADING_LIMIT_MS,
    );
  });
}
