import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSessions, signInByPasskey, updateUser } from '../../../../sdk/src/index.ts';
import {
  type Authenticator,
  addKey,
  authenticator,
  newChallenge,
  trySignIn,
} from '../../../../test/support/authenticator.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { passkeyRejected } from '../passkeys/passkeys.ts';

const platform = await startPlatform();
const { client, admin, clock, database } = platform;

/** Returns a member who has signed in by a passkey before, so that the next sign-in has no new place. */
async function newOwner(made: Authenticator = authenticator({ counts: false })) {
  const member = await platform.newMember();
  const { passkey } = await addKey(member.client, made);
  assert.equal((await trySignIn(client, made)).status, 200);
  return { ...member, made, passkeyId: passkey.id };
}

const answerOf = (made: Authenticator, challenge: string, behaviour = {}) => ({
  body: { response: made.get(challenge, behaviour), platform: 'web' as const, device: 'key' },
});

/** Signs in with signatures of challenges that were fetched before, so that the requests arrive together. */
const together = (answers: ReturnType<typeof answerOf>[]) =>
  Promise.all(answers.map((answer) => untilAvailable(() => client.attempt(signInByPasskey, answer))));

/** Returns the session id in an access token. */
const sessionOf = ({ data }: { data?: { accessToken?: string } | null }): string =>
  JSON.parse(Buffer.from(data?.accessToken?.split('.')[1] ?? '', 'base64url').toString()).sid;

const activeSessions = async (userId: string) =>
  database.all<{ id: string; device: string; lastUsedAt: Date }>(
    'select id, device, last_used_at from identity.session where user_id = $1 and ended_at is null and device = $2',
    [userId, 'key'],
  );

test('each of the sign-ins that arrive together is judged alone, and opens a session of its own', async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => newOwner()));
  const [inactive, removed, forged] = await Promise.all([newOwner(), newOwner(), newOwner()]);
  await admin.call(updateUser, { params: { userId: inactive.id }, body: { isActive: false } });
  await database.execute('delete from identity.passkey where id = $1', [removed.passkeyId]);
  const challenges = await Promise.all(Array.from({ length: 11 }, () => newChallenge(client)));
  const answers = [inactive, removed, forged, ...owners].map(({ made }, place) =>
    answerOf(made, challenges[place] as string, made === forged.made ? { isVerified: false } : {}),
  );
  const outcomes = await together(answers);
  for (const [place, answer] of outcomes.entries()) {
    if (place === 0) assertRefused(answer, accountInactive);
    else if (place < 3) assertRefused(answer, passkeyRejected);
  }
  for (const [place, answer] of outcomes.slice(3).entries()) {
    assert.equal(answer.status, 200);
    const session = client.as(answer.data?.accessToken as string);
    const [current] = (await session.call(listSessions)).data;
    assert.deepEqual([current?.method, current?.device], ['passkey', 'key']);
    const owner = owners[place] as (typeof owners)[number];
    assert.deepEqual(
      (await activeSessions(owner.id)).map(({ id }) => id),
      [sessionOf(answer)],
      'the former session on the device has ended',
    );
    const [passkey] = await database.all('select last_used_at from identity.passkey where id = $1', [
      owner.passkeyId,
    ]);
    assert.ok(passkey?.lastUsedAt);
  }
});

test('a member whose account or session is locked delays nobody else', async () => {
  const [locked, sharing, ...others] = await Promise.all(Array.from({ length: 6 }, () => newOwner()));
  assert.ok(locked && sharing);
  const challenges = await Promise.all(Array.from({ length: 6 }, () => newChallenge(client)));
  const answers = [locked, sharing, ...others].map(({ made }, place) =>
    answerOf(made, challenges[place] as string),
  );
  const waiting = await holding(database, async (tx) => {
    await tx.execute('select 1 from identity.user where id = $1 for no key update', [locked.id]);
    await tx.execute('select 1 from identity.session where user_id = $1 for share', [sharing.id]);
    const [ofLocked, ofSharing, ...free] = answers.map((answer) =>
      untilAvailable(() => client.attempt(signInByPasskey, answer)),
    );
    for (const answer of await Promise.all(free)) assert.equal(answer.status, 200);
    return [ofLocked, ofSharing];
  });
  for (const answer of await Promise.all(waiting)) assert.equal(answer?.status, 200);
});

test('twenty sign-ins of one member at once on one device leave one session', async () => {
  const { id, made } = await newOwner();
  const challenges = await Promise.all(Array.from({ length: 20 }, () => newChallenge(client)));
  const answers = await together(challenges.map((challenge) => answerOf(made, challenge)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const [left, ...more] = await activeSessions(id);
  assert.deepEqual(more, []);
  assert.ok(answers.some((answer) => sessionOf(answer) === left?.id));
});

test('of twenty signatures with one counter, as copies of an authenticator make them, one signs in', async () => {
  const { made } = await newOwner(authenticator());
  const challenges = await Promise.all(Array.from({ length: 20 }, () => newChallenge(client)));
  const answers = await together(challenges.map((challenge) => answerOf(made, challenge, { counter: 50 })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers) if (answer.status !== 200) assertRefused(answer, passkeyRejected);
});

test('a sign-in notes when its device and its address range were last seen, to the day', async () => {
  const { id, made } = await newOwner();
  const seen = async () =>
    (
      await database.all<{ seenAt: Date }>('select seen_at from identity.known_place where user_id = $1', [
        id,
      ])
    )
      .map(({ seenAt }) => seenAt.getTime())
      .toSorted((one, other) => other - one);
  const [before] = await seen();
  clock.advance(2 * DAY_MS);
  assert.equal((await trySignIn(client, made)).status, 200);
  const [device, range] = await seen();
  for (const at of [device, range]) assert.ok((at as number) >= (before as number) + 2 * DAY_MS);
});
