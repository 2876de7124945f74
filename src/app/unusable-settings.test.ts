import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../test/support/setting-faults.ts';
import { readConfig, SETTINGS } from './config.ts';

const WEB = [
  'http:/bad',
  'zz?!bad',
  'ftp://example.com',
  'javascript:alert(1)',
  'https://',
  'https://a.test ',
];
const LONG = 'a secret of more than thirty-two characters';
/** By a pattern of the variables: what each refuses. */
const REFUSED: [variables: RegExp, values: string[]][] = [
  [/^(?!DATABASE_|REDIS_|SMTP_).*_URL$|ENDPOINT$/, WEB],
  [/^SMTP_URL$/, ['smtp://', 'https://mail.example.com', 'smtp:/bad', 'smtp://a.test ']],
  [/^DATABASE_(DIRECT_|READ_)?URL$/, ['http:/bad', 'https://a.test/x', 'postgresql:/bad']],
  [/^REDIS_URL$/, ['http:/bad', 'https://a.test', 'redis:/bad']],
  [
    /^(INTERNAL_API_KEY|API_KEY|(MAIL_)?WEBHOOK_SECRET|\w+_API_KEY|STRIPE_SECRET_KEY|CHARTING_SESSION_\w+)$/,
    [` ${LONG}`, `${LONG} `, `${LONG}\n`, `${LONG}\r\n`, `${LONG}\n${LONG}`, `${LONG}\u00fc`],
  ],
  [/^(CORS|PASSKEY)_ORIGINS$/, ['zz?!bad', '*', 'https://a.test/', 'a.test', 'https://a.test,', '   ']],
  [/^(WORKER_QUEUES|WEB_PUSH_SERVICES|PASSWORD_WORDS|TRUSTED_PROXIES)$/, ['   ', ',']],
  [
    /^WEB_PUSH_SERVICES$/,
    [
      'http://x',
      'https://push.example.com',
      'push.example.com/',
      '*',
      '*.',
      '*.com',
      'a.test:0x1',
      'a.test:99999',
      'a b',
      '10.0.0.1',
      '10.1',
      '0x7f.1',
      '*.10.1',
      'a..b',
      '.a.b',
      '-a.b',
      'a.test,http://127.0.0.1',
    ],
  ],
  [/^HOST$/, ['127.0.0.1 ', 'a b', '::1::', 'http://a.test']],
  [/^PASSKEY_RP_ID$/, ['   ', 'https://a.test', 'a.test ', '127.0.0.1']],
  [/^ADMIN_EMAIL$/, ['zz?!bad', ' a@b.test']],
  [/^MAIL_FROM$/, ['zz?!bad', 'Platform <zz>', 'a@b.test\n', 'A <a@b.test> B']],
  [
    /^(DATA_DIR|STORAGE_(REGION|BUCKET|ACCESS_KEY_ID)|OTEL_SERVICE_NAME|VIDEO_WORK_DIR|FFMPEG_PATH)$/,
    [' a', 'a ', '  '],
  ],
];

test('settings that name a place or are sent in a header refuse what could never work, with their name', () => {
  for (const [variables, values] of REFUSED) {
    const named = SETTINGS.filter(({ variable }) => variables.test(variable));
    assert.ok(named.length > 0, String(variables));
    for (const { variable } of named)
      for (const value of values)
        assert.match(
          faultsOf({ [variable]: value }),
          new RegExp(`^  - ${variable} `, 'm'),
          `${variable}=${JSON.stringify(value)}`,
        );
  }
});

test('every example of .env.example is accepted, and settings of text refuse blanks around them', () => {
  for (const setting of SETTINGS) {
    const { variable, example } = setting;
    if (example) assert.doesNotThrow(() => setting.read(example), variable);
  }
  assert.match(faultsOf({ HOST: '127.0.0.1 ' }), /HOST is "127\.0\.0\.1 ", which is neither/);
  assert.deepEqual(
    readConfig({ PASSKEY_ORIGINS: 'android:apk-key-hash:a-b_c,https://a.test' }).identity.passkeyOrigins,
    ['android:apk-key-hash:a-b_c', 'https://a.test'],
  );
});
