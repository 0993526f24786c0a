/**
 * Stands in for curl where a machine has none: `curl -s URL [-H 'Name: value'] [-d BODY]`, and nothing else. Appends a
 * line of JSON per request to the file that CURL_LOG names.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: {
    silent: { type: 'boolean', short: 's' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
  allowPositionals: true,
});
const [url] = positionals;
const headers = (values.header ?? []).map((line) => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string];
});
const request = values.data === undefined ? { headers } : { method: 'POST', headers, body: values.data };
const response = await fetch(url!, request);
const text = await response.text();
process.stdout.write(text);
const { pathname, search } = new URL(url!);
const line = {
  method: request.method ?? 'GET',
  path: pathname + search,
  status: response.status,
  body: JSON.parse(text),
};
appendFileSync(process.env.CURL_LOG!, `${JSON.stringify(line)}\n`);
