/**
 * Loaded into Prism's process before Prism. Prism writes violations with the names of fields into the header
 * `sl-violations`, and crashes on characters that a header cannot hold. This writes such a character as JSON does: `\u`
 * and four hexadecimal digits.
 */
import { ServerResponse } from 'node:http';

const { setHeader } = ServerResponse.prototype;

ServerResponse.prototype.setHeader = function (name, value) {
  return setHeader.call(this, name, typeof value === 'string' ? inAscii(value) : value);
};

function inAscii(text: string): string {
  return text.replace(/[^\t\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
