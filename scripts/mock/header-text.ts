/**
 * Loaded into Prism's process before Prism itself, which writes into the header `sl-violations` what was wrong, with the
 * names of fields as they came. A header cannot hold every character, and Prism would end: such a character is written as
 * JSON does, `\u` and four hexadecimal digits.
 */
import { ServerResponse } from 'node:http';

const { setHeader } = ServerResponse.prototype;

ServerResponse.prototype.setHeader = function (name, value) {
  return setHeader.call(this, name, typeof value === 'string' ? inAscii(value) : value);
};

function inAscii(text: string): string {
  return text.replace(/[^\t\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
