// The library as browsers get it.
import { defineCardElement } from './card-element.js';

export * from './index.ts';

defineCardElement();
