import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressGroup } from './addresses.ts';

test('IPv4 addresses are grouped singly, also when mapped into IPv6; IPv6 addresses by their /64 without a zone', () => {
  for (const [address, group] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
    ['::ffff:192.0.2.7%eth0', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::2', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ] as const) {
    assert.equal(addressGroup(address), group, address);
  }
});

const word = fc.integer({ min: 0, max: 0xffff });
const network = fc.tuple(word, word, word, fc.integer({ min: 1, max: 0xffff }));
const host = fc.tuple(word, word, word, word);

/** Returns the spellings of one address: letter case, leading zeros, omitted zeros, a zone. */
function spellings(words: number[]): string[] {
  const full = words.map((one) => one.toString(16));
  const all = [
    full.join(':'),
    full.map((one) => one.padStart(4, '0').toUpperCase()).join(':'),
    `${full.join(':')}%zone1`,
  ];
  const zeros = words.lastIndexOf(0);
  if (zeros >= 0) all.push(`${full.slice(0, zeros).join(':')}::${full.slice(zeros + 1).join(':')}`);
  return all;
}

test('all spellings of the addresses of a /64 belong to one group, and other networks to other groups', () => {
  fc.assert(
    fc.property(network, host, host, network, (net, one, another, other) => {
      const groups = new Set(
        [...spellings([...net, ...one]), ...spellings([...net, ...another])].map(addressGroup),
      );
      assert.equal(groups.size, 1, [...groups].join(' '));
      const isOther = net.some((part, place) => part !== other[place]);
      if (isOther) assert.ok(!groups.has(addressGroup(spellings([...other, ...one])[0] as string)));
    }),
    { numRuns: 2_000 },
  );
});

test('grouping never throws, and its result is short for any text', () => {
  fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => assert.ok(addressGroup(text).length <= 64)));
});
