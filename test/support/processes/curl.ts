/**
 * Replaces curl where a machine has none: `curl -s [-w '\n'] [-X METHOD] [-H 'Name: value'] [-d BODY] URL`, and nothing
 * else. Appends a line of JSON per request to the file that CURL_LOG names.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: {
    silent: { type: 'boolean', short: 's' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
    request: { type: 'string', short: 'X' },
    'write-out': { type: 'string', short: 'w', default: '' },
  },
  allowPositionals: true,
});
const [url] = positionals;
const headers = (values.header ?? []).map((line) => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string];
});
const method = values.request ?? (values.data === undefined ? 'GET' : 'POST');
const body = values.data === undefined ? {} : { body: values.data };
const response = await fetch(url!, { method, headers, ...body });
const text = await response.text();
process.stdout.write(text + values['write-out'].replaceAll('\\n', '\n'));
const { pathname, search } = new URL(url!);
const line = {
  method,
  path: pathname + search,
  status: response.status,
  body: text === '' ? null : JSON.parse(text),
};
appendFileSync(process.env.CURL_LOG!, `${JSON.stringify(line)}\n`);
