// A fleet whose SECRET_KEY is replaced, as docs/deploying.md says, one step after the other.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  confirmAuthenticator,
  createWebhookEndpoint,
  enrollAuthenticator,
  getProfile,
  getVapidKey,
  refreshToken,
  signIn,
  signUp,
  testWebhookEndpoint,
  verifyWebhook,
} from '../../sdk/src/index.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { secretsOf } from '../../src/kernel/secrets.ts';
import { systemClock } from '../../src/kernel/time/time.ts';
import { playbackTokens } from '../../src/modules/media/tokens.ts';
import { unsubscribeLinks } from '../../src/modules/notifications/unsubscribe-links.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { appOf } from '../support/factors.ts';
import { until } from '../support/live.ts';
import { PRODUCTION, type Program, runProgram, startProgram } from '../support/programs.ts';
import { receiver } from '../support/webhooks.ts';

// The former key contains a comma, which also separates keys.
const [OLD, NEW] = ['the former secret key, long enough', 'the secret key that replaces the former one'];
const PASSWORD = 'correct horse battery staple';
const VIDEO = 'a'.repeat(24);

const folder = mkdtempSync(join(tmpdir(), 'platform-rotation-'));
const { url: databaseUrl, drop } = await newDatabase();
const database = openDatabase({ url: databaseUrl, connections: 1, onBackgroundError: () => undefined });
after(async () => {
  await database.close();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = {
  ...PRODUCTION,
  // Webhooks go to a receiver on this machine.
  ...{ ENVIRONMENT: 'development', PUBLIC_URL: '', DATABASE_URL: databaseUrl, DATA_DIR: folder },
  ...{ LOG_LEVEL: 'error', DRAIN_SECONDS: '0', SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0' },
};
const before = { ...environment, SECRET_KEY: OLD };
const during = { ...environment, SECRET_KEY: NEW, SECRET_KEY_FALLBACKS: OLD };
const afterwards = { ...environment, SECRET_KEY: NEW };
const command = (settings: Record<string, string>, ...options: string[]) =>
  runProgram(['src/main.js', 'secret-key', 'rotate', ...options], settings);

let program: Program;
let api: Client;
async function startWith(settings: Record<string, string>): Promise<void> {
  program = await startProgram(['src/main.js', 'start'], settings);
  api = new Client(program.readyValues.url as string, { 'x-api-key': environment.API_KEY });
}
after(() => program.end('SIGKILL'));

const hooks = await receiver();
/** Sends the endpoint a message, and checks that it is signed with the secret that it was given. */
async function receiveSigned({ id, secret }: { id: string; secret: string }, admin: Client): Promise<void> {
  const had = hooks.got.length;
  await admin.call(testWebhookEndpoint, { params: { id } });
  await until(async () => hooks.got.length > had, 'the message');
  const { headers, body } = hooks.got.at(-1) as (typeof hooks.got)[number];
  await verifyWebhook(body, headers as Record<string, string>, secret);
}
const signInAdmin = async () => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = environment;
  return (await api.call(signIn, { body: { email, password, platform: 'web' } })).data;
};
/** The status of a playback link of the former key: 404 if it is genuine, since there is no such video. */
const played = async () => {
  const { token } = playbackTokens({ secrets: secretsOf([OLD]), clock: systemClock }).issue(VIDEO, VIDEO, 1);
  return (await fetch(`${program.readyValues.url}/media/v/${token}/master.m3u8`)).status;
};
const unsubscribes = async () => {
  const links = unsubscribeLinks(secretsOf([OLD]), () => program.readyValues.url as string);
  return (await fetch(links.of(VIDEO))).status;
};

test('SECRET_KEY is replaced without ending a session, a factor, a webhook, a link or a subscription', async () => {
  await startWith(before);
  const email = 'ada@example.com';
  const body = {
    email,
    password: PASSWORD,
    firstName: 'Ada',
    lastName: 'Lovelace',
    platform: 'web' as const,
  };
  const ada = (await api.call(signUp, { body })).data;
  const client = api.as(ada.accessToken);
  const { secret } = (await client.call(enrollAuthenticator)).data;
  const code = (stepsAhead: number) =>
    appOf({ clock: { now: () => systemClock.now() + stepsAhead * 30_000 } as never }, secret).code();
  const confirmed = await client.call(confirmAuthenticator, { body: { code: code(0) } });
  const [recoveryCode = ''] = confirmed.data.recoveryCodes;
  const admin = await signInAdmin();
  const created = api.as(admin.accessToken).call(createWebhookEndpoint, { body: { url: hooks.url } });
  const endpoint = (await created).data;
  const vapid = (await client.call(getVapidKey)).data;
  await program.end('SIGTERM');

  await assert.rejects(startWith(afterwards), ({ message }: Error) => {
    assert.match(message, /^SECRET_KEY cannot decrypt the keys of this database; .*SECRET_KEY_FALLBACKS/m);
    assert.doesNotMatch(message, /\n +at /);
    return true;
  });

  // A release before there were lasting keys had none; the key that was in use is found by the signing keys.
  await database.execute('delete from kernel.lasting_key');
  await startWith(during);
  assert.equal((await api.as(ada.accessToken).call(getProfile)).status, 200);
  const refreshed = (await api.call(refreshToken, { body: { refreshToken: ada.refreshToken } })).data;
  const byFactor = { email, password: PASSWORD, platform: 'web' as const, device: 'another' };
  const withCode = { ...byFactor, mfaCode: code(1) };
  assert.equal((await api.call(signIn, { body: withCode })).status, 200);
  await receiveSigned(endpoint, api.as((await signInAdmin()).accessToken));
  assert.deepEqual([await played(), await unsubscribes()], [404, 200]);
  assert.deepEqual((await api.as(refreshed.accessToken).call(getVapidKey)).data, vapid);

  const counted = await command(during, '--count');
  assert.equal(counted.code, 1, counted.complaints);
  assert.match(counted.output, /^identity\.authenticator\.sealed: 0 with SECRET_KEY, 1 with a former key$/m);
  assert.match(counted.output, /^webhooks\.endpoint\.secret: 0 with SECRET_KEY, 1 with a former key$/m);
  assert.match(counted.output, /^remaining under former keys: 3$/m);
  // Two at once, and then again.
  const [one, other] = await Promise.all([command(during), command(during)]);
  for (const rotated of [one, other, await command(during)]) {
    assert.equal(rotated.code, 0, rotated.complaints);
    assert.match(rotated.output, /^remaining under former keys: 0\n.*keep it for 8 days/m);
    assert.doesNotMatch(rotated.output + rotated.complaints, new RegExp(`${OLD}|${NEW}`));
  }
  await receiveSigned(endpoint, api.as((await signInAdmin()).accessToken));
  await program.end('SIGTERM');

  await startWith(afterwards);
  assert.equal((await api.as(refreshed.accessToken).call(getProfile)).status, 200);
  const withRecovery = { ...byFactor, mfaCode: recoveryCode };
  assert.equal((await api.call(signIn, { body: withRecovery })).status, 200);
  await receiveSigned(endpoint, api.as((await signInAdmin()).accessToken));
  assert.deepEqual([await played(), await unsubscribes()], [403, 200]);
  assert.deepEqual((await api.as(refreshed.accessToken).call(getVapidKey)).data, vapid);
});

test('what no key opens is told, and the command ends with 1', async () => {
  const sealed = secretsOf(['a key that is lost for good']).sealer('identity.authenticator').seal('x');
  await database.execute('update identity.authenticator set sealed = $1', [sealed]);
  const { code, output } = await command(afterwards);
  assert.equal(code, 1);
  assert.match(
    output,
    /^identity\.authenticator\.sealed: 0 with SECRET_KEY, 0 with a former key, 1 UNREADABLE$/m,
  );
  assert.match(output, /^OPENED BY NO KEY: 1\. Add the key that sealed them to SECRET_KEY_FALLBACKS\.$/m);
});
