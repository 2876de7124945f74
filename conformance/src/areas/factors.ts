import { createHmac } from 'node:crypto';
import type { Area } from '../cases.ts';
import type { Member } from '../installation.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'part 3, section 2';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** Returns the code that an authenticator app (RFC 6238) shows now, or `steps` time steps later. */
function codeOf(secret: string, steps = 0): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((one) => ALPHABET.indexOf(one).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Creates a member with an authenticator app as second factor. */
async function withApp(trial: Trial): Promise<{ member: Member; secret: string; recoveryCodes: string[] }> {
  const member = await trial.at.newMember();
  const { secret, ...rest } = trial.accepted(await trial.post(member, '/v1/auth/mfa/totp'), 201);
  trial.matches(secret, /^[A-Z2-7]{16,}$/, '"secret"');
  trial.matches(rest.otpauthUrl, /^otpauth:\/\/totp\//, '"otpauthUrl"');
  const wrong = await trial.post(member, '/v1/auth/mfa/totp/confirm', { code: '000000' });
  trial.refused(wrong, 400, 'INVALID_MFA_CODE');
  const confirmed = await trial.post(member, '/v1/auth/mfa/totp/confirm', { code: codeOf(secret, -1) });
  const { recoveryCodes } = trial.accepted(confirmed, 200);
  trial.equal(new Set(recoveryCodes).size, 10, 'the number of recovery codes');
  return { member, secret, recoveryCodes };
}

export const factors: Area = {
  name: 'factors',
  cases: [
    {
      title: 'an authenticator app is asked for at the sign-in, and each code serves once',
      section: SECTION,
      run: async (trial) => {
        const { member, secret, recoveryCodes } = await withApp(trial);
        const { email, password } = member;
        const signIn = (mfaCode?: string) =>
          trial.post(trial.at.key, '/v1/auth/signin', { email, password, platform: 'web', mfaCode });
        trial.refused(await signIn(), 401, 'MFA_REQUIRED');
        trial.refused(await signIn('000000'), 401, 'INVALID_MFA_CODE');
        const code = codeOf(secret);
        trial.accepted(await signIn(code), 200);
        trial.refused(await signIn(code), 401, 'INVALID_MFA_CODE');
        trial.accepted(await signIn(recoveryCodes[0]), 200);
        trial.refused(await signIn(recoveryCodes[0]), 401, 'INVALID_MFA_CODE');
        const { accessToken } = trial.accepted(await signIn(recoveryCodes[1]), 200);
        const caller = { headers: { ...trial.at.key.headers, authorization: `Bearer ${accessToken}` } };
        const left = trial.accepted(await trial.get(caller, '/v1/auth/mfa'), 200);
        trial.equal(left, { totp: true, passkeys: 0, recoveryCodesLeft: 8 }, 'the factors');
      },
    },
    {
      title: 'what matters waits for the second factor, which the password does not replace',
      section: SECTION,
      run: async (trial) => {
        const { member, recoveryCodes } = await withApp(trial);
        const change = () =>
          trial.post(member, '/auth/change-password', {
            currentPassword: member.password,
            newPassword: `${member.password} changed`,
          });
        trial.refused(await change(), 403, 'STEP_UP_REQUIRED');
        trial.refused(await trial.delete(member, '/v1/auth/mfa/totp'), 403, 'STEP_UP_REQUIRED');
        trial.refused(await trial.post(member, '/v1/user/export'), 403, 'STEP_UP_REQUIRED');
        const byPassword = await trial.post(member, '/v1/auth/step-up', { password: member.password });
        trial.refused(byPassword, 400, 'WRONG_FACTOR');
        trial.refused(
          await trial.post(member, '/v1/auth/step-up', { mfaCode: '000000' }),
          400,
          'INVALID_MFA_CODE',
        );
        const raised = await trial.post(member, '/v1/auth/step-up', { mfaCode: recoveryCodes[0] });
        trial.shape(trial.accepted(raised, 200), { until: 'instant' });
        trial.accepted(await trial.delete(member, '/v1/auth/mfa/totp'), 200);
        trial.accepted(await change(), 200);
      },
    },
    {
      title: 'passkeys are offered with a challenge',
      section: SECTION,
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const answer = await trial.post(ada, '/v1/auth/passkeys/options');
        if (answer.status === 503) trial.skip('passkeys are not configured');
        const creation = trial.accepted(answer, 200);
        trial.matches(creation.challenge, /^[\w-]{22,}$/, '"challenge"');
        const options = trial.accepted(
          await trial.post(trial.at.key, '/v1/auth/passkeys/signin-options'),
          200,
        );
        trial.matches(options.challenge, /^[\w-]{22,}$/, '"challenge"');
        trial.equal(trial.accepted(await trial.get(ada, '/v1/auth/passkeys'), 200), [], 'the passkeys');
      },
    },
  ],
};
