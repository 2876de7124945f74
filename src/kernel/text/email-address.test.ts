import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalAddress } from './email-address.ts';

test('all spellings of a plain e-mail address have one canonical form', () => {
  const forms: [string, string][] = [
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace+trading@Example.COM\n', 'ada.lovelace+trading@example.com'],
    ["o'brien_42-x@mail.example.co.uk", "o'brien_42-x@mail.example.co.uk"],
    ['A\u0301DA@example.com', 'áda@example.com'],
    ['\u212aada@example.com', 'kada@example.com'],
    ['Ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['a@b.test', 'a@b.test'],
    ['admin@platform.localhost', 'admin@platform.localhost'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
  ];
  for (const [text, expected] of forms) assert.equal(canonicalAddress(text), expected, text);
});

test('anything else is rejected as an e-mail address', () => {
  const refused = [
    '',
    '@',
    'ada',
    'ada@',
    '@b.test',
    'ada@b',
    'a@b@c.test',
    'a b@c.test',
    'a@b c.test',
    '<a@b.test>',
    'a@b.test>',
    'Ada <a@b.test>',
    '"Ada" <a@b.test>',
    'a@b.test,',
    'a@b.test,c@d.test',
    'a@b.test;c@d.test',
    'x:a@b.test;',
    'mailto:a@b.test',
    'a(comment)@b.test',
    'a@b.test (comment)',
    '"a b"@c.test',
    '"a"@b.test',
    'a\\b@c.test',
    'a%c.test@b.test',
    'c.test!a@b.test',
    'evil..x@b.test',
    '.evil@b.test',
    'evil.@b.test',
    'a@.b.test',
    'a@b..test',
    'a@b.test.',
    'a@-evil.test',
    'a@evil-.test',
    'a@b.-test',
    'a@b_c.test',
    'a@b/c.test',
    'a@b%2ec.test',
    'a@b。test',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@1.2',
    'a@b.123',
    'a@0x7f.1',
    'a@xn--a.test',
    'a@xn--.test',
    'a\u200bb@c.test',
    'a@b\u200b.test',
    'a\u200d@b.test',
    'a\ufeff@b.test',
    'a\u00ad@b.test',
    'a@b.test\ufeff',
    'a\u2060@b.test',
    'a\u115f@b.test',
    'a\u202e@b.test',
    'a\u00a0@b.test',
    'a\u0000@b.test',
    'a\nb@c.test',
    'ａda@b.test',
    'ﬁ@b.test',
    `${'l'.repeat(65)}@b.test`,
    `a@${'l'.repeat(64)}.test`,
    `a@${'b.'.repeat(130)}test`,
    `a@${'b'.repeat(1_000_000)}.test`,
    `${'é'.repeat(33)}@b.test`,
  ];
  for (const text of refused)
    assert.equal(canonicalAddress(text), undefined, JSON.stringify(text.slice(0, 80)));
});

test('canonicalizing an e-mail address twice changes nothing', () => {
  const part = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
  const likely = fc.stringMatching(/^[A-Za-z0-9.+_éÜß-]{1,20}$/);
  const texts = fc.tuple(fc.oneof(part, likely), fc.oneof(part, likely), fc.oneof(part, fc.constant('test')));
  fc.assert(
    fc.property(texts, ([local, domain, top]) => {
      const address = canonicalAddress(`${local}@${domain}.${top}`);
      if (address === undefined) return;
      assert.equal(canonicalAddress(address), address);
      assert.match(address, /^[^\s@<>,;:"()[\]\\]+@[a-z0-9.-]+$/);
    }),
    { numRuns: 3000 },
  );
});
