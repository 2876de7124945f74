import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ConfigurationFault, readConfig, SETTINGS } from './config.ts';

const PRODUCTION = {
  ENVIRONMENT: 'production',
  DATABASE_URL: 'postgresql://localhost/platform',
  SECRET_KEY: 'a perfectly fine secret of 32 characters or more',
  INTERNAL_API_KEY: 'another fine secret',
  WEBHOOK_SECRET: 'a third fine secret',
};

test('development needs nothing, and an empty variable is a missing one', () => {
  const config = readConfig({ PORT: '', HOST: '' });
  assert.deepEqual(
    [config.environment, config.port, config.host, config.dataDir],
    ['development', 3000, '127.0.0.1', '.data'],
  );
});

test('every fault is named in one message', () => {
  const broken = {
    PORT: '70000',
    ENVIRONMENT: 'staging',
    API_KEY: 'short',
    ADMIN_EMAIL: 'a@b.c',
    DATABASE_URL: 'nowhere',
  };
  assert.throws(
    () => readConfig(broken),
    (error: Error) => {
      assert.ok(error instanceof ConfigurationFault);
      for (const name of ['PORT', 'ENVIRONMENT', 'API_KEY', 'ADMIN_PASSWORD', 'DATABASE_URL'])
        assert.match(error.message, new RegExp(name));
      return true;
    },
  );
});

test('the e-mail of the first administrator is one', () => {
  const administrator = { ADMIN_EMAIL: '<a@b.test>', ADMIN_PASSWORD: 'a password for tests' };
  assert.throws(() => readConfig(administrator), /ADMIN_EMAIL must be an e-mail address/);
});

test('production starts with real secrets only', () => {
  assert.equal(readConfig(PRODUCTION).environment, 'production');
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'INTERNAL_API_KEY', 'WEBHOOK_SECRET']) {
    assert.throws(
      () => readConfig({ ...PRODUCTION, [name]: undefined }),
      new RegExp(`${name} is needed in production`),
    );
  }
  for (const placeholder of [
    'changeme-changeme-changeme-changeme',
    'x'.repeat(40),
    'secret-secret-secret-secret-secret',
  ]) {
    assert.throws(
      () => readConfig({ ...PRODUCTION, SECRET_KEY: placeholder }),
      /SECRET_KEY is a placeholder/,
    );
  }
});

test('in production mails need an address for their links', () => {
  const withMail = { ...PRODUCTION, SMTP_URL: 'smtp://mail.example.com' };
  assert.throws(() => readConfig(withMail), /SMTP_URL needs PUBLIC_URL/);
  assert.equal(readConfig({ ...withMail, PUBLIC_URL: 'https://api.example.com' }).smtpUrl, withMail.SMTP_URL);
});

test('.env.example lists every setting, with what it is for', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  for (const { variable, about } of Object.values(SETTINGS)) {
    assert.ok(text.includes(`# ${about}\n`), about);
    assert.match(text, new RegExp(`^#?${variable}=`, 'm'));
  }
});
