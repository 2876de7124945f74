import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { faultsOf } from '../../test/support/setting-faults.ts';
import { envExample } from '../cli/env-example.ts';
import {
  ConfigurationFault,
  databaseAccessOf,
  drainSecondsOf,
  logLevelOf,
  monitoringPortOf,
  queueConnectionsOf,
  readConfig,
  SETTINGS,
} from './config.ts';

const PRODUCTION = {
  ENVIRONMENT: 'production',
  DATABASE_URL: 'postgresql://localhost/platform',
  SECRET_KEY: 'a perfectly fine secret of 32 characters or more',
  INTERNAL_API_KEY: 'another fine secret',
  WEBHOOK_SECRET: 'a third fine secret',
  PUBLIC_URL: 'https://api.example.com',
  TRUSTED_PROXIES: 'none',
};

test('development needs no settings, and an empty variable counts as missing', () => {
  const config = readConfig({ PORT: '', HOST: '' });
  assert.deepEqual(
    [config.environment, config.port, config.host, config.dataDir],
    ['development', 3000, '127.0.0.1', '.data'],
  );
});

test('all faults of the settings are reported in one message', () => {
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

test('the e-mail of the first administrator must be valid', () => {
  const administrator = { ADMIN_EMAIL: '<a@b.test>', ADMIN_PASSWORD: 'a password for tests' };
  assert.throws(() => readConfig(administrator), /ADMIN_EMAIL must be an e-mail address/);
});

test('a pooler in transaction mode needs a direct URL of the database, and the setting of statement names is passed on', () => {
  const pooled = { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: 'postgresql://localhost/platform' };
  const { DATABASE_POOLER } = pooled;
  assert.throws(() => readConfig({ DATABASE_POOLER }), /DATABASE_DIRECT_URL is needed with/);
  assert.deepEqual(databaseAccessOf(readConfig(pooled)), { pooler: 'transaction' });
  const named = databaseAccessOf(readConfig({ ...pooled, DATABASE_STATEMENTS: 'named' }));
  assert.deepEqual(named, { pooler: 'transaction', namesStatements: true });
  const url = 'postgresql://replica/platform';
  const { replica } = databaseAccessOf(
    readConfig({ DATABASE_READ_URL: url, DATABASE_READ_LAG_SECONDS: '2' }),
  );
  assert.deepEqual(replica, { url, maxLagMs: 2000 });
});

test('trusted proxies are addresses or networks', () => {
  const of = (TRUSTED_PROXIES: string) => readConfig({ TRUSTED_PROXIES }).gateway.trustedProxies;
  assert.deepEqual(of('10.0.0.0/8, ::1,fd00::/8'), ['10.0.0.0/8', '::1', 'fd00::/8']);
  for (const wrong of [
    'foo',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.1/8/8',
    '10.0.0/8',
  ])
    assert.throws(() => of(wrong), /TRUSTED_PROXIES contains /, wrong);
});

test('production starts with real secrets only', () => {
  assert.equal(readConfig(PRODUCTION).environment, 'production');
  for (const name of [
    'DATABASE_URL',
    'SECRET_KEY',
    'INTERNAL_API_KEY',
    'WEBHOOK_SECRET',
    'PUBLIC_URL',
    'TRUSTED_PROXIES',
  ]) {
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

test('production reports all missing settings at once, and each malformed one only once', () => {
  const missing = faultsOf({ ENVIRONMENT: 'production' });
  for (const variable of ['DATABASE_URL', 'SECRET_KEY', 'PUBLIC_URL', 'TRUSTED_PROXIES'])
    assert.match(missing, new RegExp(`- ${variable} is needed in production`));
  assert.equal(
    faultsOf({ ...PRODUCTION, DATABASE_URL: 'postgresql://a:5432,b:port/x', SECRET_KEY: 'short' }),
    'The configuration is invalid:\n  - DATABASE_URL is not a URL\n  - SECRET_KEY must have at least 32 characters',
  );
});

test('a malformed setting is not reported as missing where another one requires it', () => {
  const storage = { STORAGE_ENDPOINT: 'http://127.0.0.1:9000', STORAGE_ACCESS_KEY_ID: 'an access key' };
  assert.equal(
    faultsOf({
      ...storage,
      STORAGE_SECRET_ACCESS_KEY: 'short',
      ADMIN_EMAIL: 'a@b.test',
      ADMIN_PASSWORD: 'x',
    }),
    'The configuration is invalid:\n  - ADMIN_PASSWORD must have at least 8 characters\n  - STORAGE_SECRET_ACCESS_KEY must have at least 8 characters',
  );
});

test('production must say that there is no proxy, except for workers', () => {
  assert.deepEqual(readConfig({ TRUSTED_PROXIES: 'none' }).gateway.trustedProxies, []);
  assert.throws(() => readConfig({ TRUSTED_PROXIES: 'none,10.0.0.0/8' }), /TRUSTED_PROXIES contains none/);
  const { TRUSTED_PROXIES: _, ...worker } = { ...PRODUCTION, ROLE: 'worker' };
  assert.equal(faultsOf(worker), 'none');
});

test('the public address must be a base URL that clients can reach', () => {
  const of = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).publicUrl;
  assert.equal(of('https://api.example.com/'), 'https://api.example.com');
  assert.equal(of('https://example.com/api/'), 'https://example.com/api');
  for (const wrong of [
    'api.example.com',
    'ftp://api.example.com',
    'https://api.example.com/?a=b',
    'https://me:secret@api.example.com',
    'http://0.0.0.0:3000',
    'http://[::]:3000',
  ])
    assert.throws(() => of(wrong), /PUBLIC_URL/, wrong);
});

test('.env.example is what the command "env" prints: every setting, with its purpose', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  assert.equal(text, envExample());
  for (const { variable, about } of SETTINGS) {
    assert.ok(text.includes(`# ${about}\n`), about);
    assert.match(text, new RegExp(`^#?${variable}=`, 'm'));
  }
});

const folder = mkdtempSync(join(tmpdir(), 'platform-secrets-'));
after(() => rmSync(folder, { recursive: true, force: true }));
function fileOf(content: string): string {
  const path = join(folder, `secret-${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

test('every secret can be read from a file, without its final line break', () => {
  const secrets = SETTINGS.flatMap((setting) => ('isSecret' in setting ? setting.variable : []));
  assert.deepEqual(
    secrets.filter((name) =>
      /KEY|SECRET|PASSWORD|ACCOUNT|SESSION|HEADERS|^(DATABASE(_DIRECT|_READ)?|REDIS|SMTP)_URL$/.test(name),
    ),
    secrets,
  );
  const unlisted = SETTINGS.filter(
    ({ variable }) => /KEY$|SECRET$|PASSWORD$/.test(variable) && !secrets.includes(variable),
  );
  assert.deepEqual(unlisted, []);

  const { SECRET_KEY, DATABASE_URL, ...others } = PRODUCTION;
  const config = readConfig({
    ...others,
    SECRET_KEY_FILE: fileOf(`${SECRET_KEY}\n`),
    DATABASE_URL_FILE: fileOf(`${DATABASE_URL}\r\n`),
    WEBHOOK_SECRET: '',
    WEBHOOK_SECRET_FILE: fileOf('a secret with blanks within'),
  });
  assert.equal(config.secretKey, SECRET_KEY);
  assert.equal(config.databaseUrl, DATABASE_URL);
  assert.deepEqual(config.gateway.webhookSecrets, ['a secret with blanks within']);
});

test('a secret given twice, or by a file that is missing, empty or too short, is a fault', () => {
  const faultOf = (environment: Record<string, string>) => faultsOf({ ...PRODUCTION, ...environment });
  const file = fileOf('a secret of 32 characters or more, in a file');
  assert.match(faultOf({ SECRET_KEY_FILE: file }), /SECRET_KEY and SECRET_KEY_FILE are both set/);
  assert.match(faultOf({ API_KEY_FILE: '/nowhere' }), /API_KEY could not be read .*ENOENT/);
  assert.match(faultOf({ API_KEY_FILE: fileOf('\n') }), /API_KEY .* it is empty/);
  assert.match(faultOf({ API_KEY_FILE: fileOf('short\n') }), /API_KEY must have at least 16 characters/);
  assert.ok(!faultOf({ API_KEY_FILE: fileOf('short\n') }).includes('short\n'), 'its content is not revealed');
  assert.match(
    faultOf({ SECRET_KEY: '', SECRET_KEY_FILE: fileOf('x'.repeat(40)) }),
    /SECRET_KEY is a placeholder/,
  );
  assert.equal(faultOf({ PORT_FILE: '/nowhere' }), 'none', 'only secrets can be read from a file');
});

test('drain time, log level and monitoring port have defaults by environment and role', () => {
  const of = (environment: Record<string, string>) => {
    const config = readConfig(environment);
    return [drainSecondsOf(config), logLevelOf(config), monitoringPortOf(config)];
  };
  assert.deepEqual(of({}), [0, 'warn', undefined]);
  assert.deepEqual(of(PRODUCTION), [5, 'info', undefined]);
  assert.deepEqual(of({ ...PRODUCTION, DRAIN_SECONDS: '0', LOG_LEVEL: 'error' }), [0, 'error', undefined]);
  assert.deepEqual(of({ ROLE: 'worker' }), [0, 'warn', 3000]);
  assert.deepEqual(of({ ROLE: 'worker', METRICS_PORT: '9464' }), [0, 'warn', 9464]);
  assert.deepEqual(of({ ROLE: 'api', METRICS_PORT: '9464' }), [0, 'warn', 9464]);
  assert.throws(() => readConfig({ DRAIN_SECONDS: '10' }), /STOP_SECONDS must be greater/);
  assert.throws(() => readConfig({ METRICS_PORT: '3000' }), /METRICS_PORT must differ from PORT/);
});

test('the job queue has half as many connections as requests, at least two and at most six', () => {
  const counts = ['2', '6', '20', '500'].map((DATABASE_CONNECTIONS) =>
    queueConnectionsOf(readConfig({ DATABASE_CONNECTIONS })),
  );
  assert.deepEqual(counts, [2, 3, 6, 6]);
});

test('there may be two internal keys during a rotation', () => {
  const two = 'the key of yesterday,the key of today';
  assert.deepEqual(readConfig({ INTERNAL_API_KEY: two }).gateway.internalApiKeys, two.split(','));
  assert.deepEqual(readConfig({ INTERNAL_API_KEY: '' }).gateway.internalApiKeys, undefined);
  assert.match(faultsOf({ ...PRODUCTION, INTERNAL_API_KEY: '' }), /INTERNAL_API_KEY/);
});

test('there may be two webhook secrets during a rotation, or none', () => {
  assert.deepEqual(readConfig({}).gateway.webhookSecrets, undefined);
  assert.deepEqual(readConfig({ WEBHOOK_SECRET: '' }).gateway.webhookSecrets, []);
  const two = 'the secret of yesterday,the secret of today';
  assert.deepEqual(readConfig({ WEBHOOK_SECRET: two }).gateway.webhookSecrets, two.split(','));
  assert.throws(
    () => readConfig({ WEBHOOK_SECRET: 'the secret of yesterday,short' }),
    /at least 16 characters/,
  );
});
