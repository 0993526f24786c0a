/* global Centavo */
// The form of a card in a frame on a shop's page (`<centavo-card>`). What leaves it is encrypted.
import { cardProblems, showCardBrand, typedCard } from './card-fields.js';
import { Failures } from './failures.js';
import { maskInputs } from './masks.js';

const words = JSON.parse(document.getElementById('frame-words').textContent);
const form = document.getElementById('card-form');
const failures = new Failures(form);

maskInputs(form);
showCardBrand();
form.addEventListener('submit', (event) => event.preventDefault());

addEventListener('message', async ({ data, source, ports: [port] }) => {
  if (source !== parent || data?.centavo !== 'encrypt' || port === undefined) return;
  port.postMessage(await encrypted(data.key));
});

async function encrypted(given) {
  const card = typedCard();
  failures.show(null, cardProblems(card, words));
  const problems = Centavo.validateCard(card);
  if (problems.length > 0) return { problems };
  try {
    return { encrypted: await Centavo.encryptCard(card, await ownKey(given)) };
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}

/**
 * The key that the page around the frame has given, if it is a public key of a merchant of this service. With any other
 * key, for example a key of its own, that page could read the card.
 */
async function ownKey(given) {
  const { kty, n, e, kid } = given?.jwk ?? given ?? {};
  const query = new URLSearchParams({ n: String(n), e: String(e), kid: String(kid) });
  const response = await fetch(`/lib/card-key?${query}`).catch(() => null);
  if (response?.status === 204) return { kty, n, e, kid };
  if (response?.status === 404)
    throw new Centavo.EncryptionSetupError(
      'invalid_key',
      'The key is not an answer of /cards/encryption-key of this service.',
    );
  throw new Centavo.EncryptionSetupError(
    'unchecked_key',
    'The service did not answer whether the key is its own.',
  );
}

/** The page around the frame has to know the height only. */
new ResizeObserver(() => {
  parent.postMessage(
    { centavo: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) },
    '*',
  );
}).observe(document.body);
