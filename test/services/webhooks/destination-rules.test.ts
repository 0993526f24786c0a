import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { destinationRuleProblem, isPublicAddress } from '../../../services/webhooks/destination-rules.ts';
import destinations from '../../vectors/destinations.json' with { type: 'json' };

const REFUSED = Object.entries(destinations.refused as Record<string, string[]>);
const PUBLIC_ONLY = { allowPrivate: false };
const ALSO_PRIVATE = { allowPrivate: true };

describe('the URL of a destination', () => {
  it('is tested with more than 600 hostile URLs', () => {
    assert.ok(REFUSED.flatMap(([, urls]) => urls).length > 600);
  });

  for (const [kind, those] of Map.groupBy(REFUSED, ([sentence]) => sentence.replace(/\d+/, 'N'))) {
    it(`is refused with "${kind}"`, () => {
      for (const [sentence, urls] of those)
        for (const url of urls) assert.equal(destinationRuleProblem(url, PUBLIC_ONLY), sentence, url);
    });
  }

  it('is accepted if it is https and its host is public', () => {
    const refused = destinations.accepted.filter((url) => destinationRuleProblem(url, PUBLIC_ONLY));
    assert.deepEqual(refused, []);
  });

  it('is parsed in linear time', () => {
    const long = `https://${'a-'.repeat(500_000)}/`;
    const started = performance.now();
    assert.equal(destinationRuleProblem(long, PUBLIC_ONLY), 'Must name a public host.');
    assert.ok(performance.now() - started < 1_000);
  });
});

describe('the URL of a destination, if private ones are allowed', () => {
  for (const url of [
    'http://127.0.0.1:4010/hook',
    'http://[::1]:4010/',
    'http://localhost:4010/',
    'https://shop.svc/',
  ])
    it(`may be ${url}`, () => assert.equal(destinationRuleProblem(url, ALSO_PRIVATE), undefined));

  const refused: [string, string][] = [
    ['ftp://example.com/', 'Must be an http or https URL.'],
    ['file:///etc/passwd', 'Must be an http or https URL.'],
    ['http://user:secret@localhost/', 'Must not contain credentials.'],
    ['http://@localhost/', 'Must not contain credentials.'],
    ['http://localhost:25/', 'Must not use port 25.'],
    ['http://localhost:0/', 'Must not use port 0.'],
    ['not a url', 'Must be a URL.'],
  ];
  for (const [url, sentence] of refused)
    it(`may not be ${url}`, () => assert.equal(destinationRuleProblem(url, ALSO_PRIVATE), sentence));
});

describe('refused ports', () => {
  it('are those that fetch blocks, and port 0', async () => {
    const ports = REFUSED.flatMap(([sentence]) => /port (\d+)\./.exec(sentence)?.slice(1) ?? []);
    assert.equal(ports.length, 83);
    for (const port of ports.filter((one) => one !== '0')) {
      await assert.rejects(fetch(`http://127.0.0.1:${port}/`), ({ cause }) => cause.message === 'bad port');
    }
  });
});

describe('an address of a destination', () => {
  it('is refused if it is in the list of private ones', () => {
    assert.deepEqual(destinations.privateAddresses.filter(isPublicAddress), []);
  });

  const PRIVATE = [
    ['IPv4 of private networks', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ['IPv4 of the machine and the link', '127.0.0.1', '127.255.255.254', '0.0.0.0', '169.254.169.254'],
    [
      'IPv4 that is not routed',
      '192.0.2.1',
      '198.18.0.1',
      '203.0.113.7',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ['the address of a cloud agent', '168.63.129.16', '::ffff:168.63.129.16'],
    [
      'IPv6 of the machine, the link and private networks',
      '::',
      '::1',
      'fe80::1',
      'fec0::1',
      'fc00::1',
      'fd00::1',
    ],
    ['IPv4-mapped IPv6', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
    ['IPv4-compatible IPv6', '::127.0.0.1', '::7f00:1', '::a00:1', '::a9fe:a9fe', '::8.8.8.8'],
    [
      'IPv4-translated IPv6',
      '::ffff:0:7f00:1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::a00:1',
      '2002:7f00:1::',
      '2001::1',
    ],
    [
      'IPv6 outside 2000::/3',
      '1000::1',
      '1fff:ffff::1',
      '4000::1',
      '5f00::1',
      '8000::1',
      'e000::1',
      '100::1',
    ],
    ['IPv6 of documents and tests', '2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1'],
    ['multicast', 'ff02::1', 'ff0e::1', '239.255.255.250'],
    ['no address', '', 'example.com', '1.2.3', '::g', '127.0.0.1:80'],
  ] as const;
  for (const [what, ...addresses] of PRIVATE) {
    it(`is refused if it is ${what}`, () => {
      assert.deepEqual(addresses.filter(isPublicAddress), []);
    });
  }

  it('is accepted if it is public', () => {
    const addresses = [
      '8.8.8.8',
      '1.1.1.1',
      '200.160.2.3',
      '::ffff:8.8.8.8',
      '2606:4700::1111',
      '2606:4700::1.1.1.1',
      '2a00:1450::1',
      '3ffe::1',
    ];
    assert.deepEqual(
      addresses.filter((address) => !isPublicAddress(address)),
      [],
    );
  });
});
