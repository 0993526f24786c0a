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

addEventListener('message', async ({ data, ports: [port] }) => {
  if (data?.centavo !== 'encrypt' || port === undefined) return;
  port.postMessage(await encrypted(data.key));
});

async function encrypted(key) {
  const card = typedCard();
  failures.show(null, cardProblems(card, words));
  try {
    return { encrypted: await Centavo.encryptCard(card, key) };
  } catch (error) {
    if (error instanceof Centavo.CardError) return { problems: error.problems };
    return { code: error.code, message: error.message };
  }
}

/** The page around the frame has to know the height only. */
new ResizeObserver(() => {
  parent.postMessage(
    { centavo: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) },
    '*',
  );
}).observe(document.body);
