import type { Area } from '../cases.ts';
import type { Caller } from '../exchange.ts';

const SIGN_IN = 'decisions, "Sign-in"';

export const sessions: Area = {
  name: 'sessions',
  cases: [
    {
      title: 'a refresh token is rotated, and a spent one ends the session',
      section: SIGN_IN,
      run: async (trial) => {
        const { email, password } = await trial.at.newMember();
        const signedIn = await trial.post(trial.at.key, '/v1/auth/signin', {
          email,
          password,
          platform: 'web',
        });
        const { refreshToken: first } = trial.accepted(signedIn, 200);
        const refresh = (refreshToken: string) =>
          trial.post(trial.at.key, '/v1/auth/refresh-token', { refreshToken });
        const { accessToken, refreshToken: second } = trial.accepted(await refresh(first), 200);
        trial.ok(second !== first, 'the refresh token is the same');
        const member = { headers: { ...trial.at.key.headers, authorization: `Bearer ${accessToken}` } };
        trial.accepted(await trial.get(member, '/v1/user/profile'), 200);
        const third = trial.accepted(await refresh(second), 200).refreshToken;
        trial.refused(await refresh(first), 401, 'INVALID_REFRESH_TOKEN');
        trial.refused(await refresh(third), 401, 'INVALID_REFRESH_TOKEN');
        trial.refused(await trial.get(member, '/v1/user/profile'), 401);
        trial.refused(await refresh('nonsense'), 401, 'INVALID_REFRESH_TOKEN');
      },
    },
    {
      title: 'signing out ends one device, one platform or everything, at once',
      section: 'part 1, "Sign-in and account operations"; decisions, "Sign-in"',
      run: async (trial) => {
        const { email, password, ...web } = await trial.at.newMember();
        const signIn = async (platform: string, device: string) => {
          const body = { email, password, platform, device };
          const { accessToken } = trial.accepted(
            await trial.post(trial.at.key, '/v1/auth/signin', body),
            200,
          );
          return { headers: { ...trial.at.key.headers, authorization: `Bearer ${accessToken}` } };
        };
        const phone = await signIn('web', 'phone');
        const tablet = await signIn('web', 'tablet');
        const scanner = await signIn('scanners', 'phone');
        const isIn = async (who: Caller) => (await trial.get(who, '/v1/user/profile')).status === 200;
        trial.accepted(await trial.post(web, '/v1/auth/signout', { platform: 'web', device: 'phone' }), 200);
        trial.equal(
          [await isIn(phone), await isIn(tablet), await isIn(scanner)],
          [false, true, true],
          'who is in',
        );
        trial.accepted(await trial.post(web, '/v1/auth/signout', { platform: 'scanners' }), 200);
        trial.equal([await isIn(tablet), await isIn(scanner)], [true, false], 'who is in');
        trial.accepted(await trial.post(web, '/v1/auth/signout', {}), 200);
        trial.equal([await isIn(tablet), await isIn(web)], [false, false], 'who is in');
      },
    },
    {
      title: 'a member sees their sessions and ends one of them',
      section: 'part 3, section 2',
      run: async (trial) => {
        const { email, password, ...member } = await trial.at.newMember();
        const body = { email, password, platform: 'web', device: 'laptop' };
        const { accessToken } = trial.accepted(await trial.post(trial.at.key, '/v1/auth/signin', body), 200);
        const listed = trial.accepted(await trial.get(member, '/v1/auth/sessions'), 200);
        trial.ok(listed.length >= 2, 'a session is missing');
        const laptop = listed.find(({ device }: { device: string }) => device === 'laptop');
        trial.shape(laptop, { id: 'string', platform: 'string', method: 'string', lastSeenAt: 'instant' });
        trial.equal(laptop.method, 'password', '"method"');
        trial.accepted(await trial.delete(member, `/v1/auth/sessions/${laptop.id}`), 200);
        const formerMember = { headers: { ...trial.at.key.headers, authorization: `Bearer ${accessToken}` } };
        trial.refused(await trial.get(formerMember, '/v1/user/profile'), 401);
        trial.accepted(await trial.get(member, '/v1/user/profile'), 200);
      },
    },
    {
      title: 'a change of the password ends the other sessions',
      section: SIGN_IN,
      run: async (trial) => {
        const { email, password, ...member } = await trial.at.newMember();
        const signIn = (word: string) =>
          trial.post(trial.at.key, '/v1/auth/signin', {
            email,
            password: word,
            platform: 'web',
            device: 'other',
          });
        const { accessToken } = trial.accepted(await signIn(password), 200);
        const other = { headers: { ...trial.at.key.headers, authorization: `Bearer ${accessToken}` } };
        const newPassword = `${password} changed`;
        const wrong = { currentPassword: 'not the password', newPassword };
        trial.ok(
          (await trial.post(member, '/auth/change-password', wrong)).status >= 400,
          'a wrong password changes it',
        );
        const right = { currentPassword: password, newPassword };
        trial.accepted(await trial.post(member, '/auth/change-password', right), 200);
        trial.refused(await trial.get(other, '/v1/user/profile'), 401);
        trial.refused(await signIn(password), 401);
        trial.accepted(await signIn(newPassword), 200);
      },
    },
    {
      title: 'asking for a reset answers the same for known and unknown addresses',
      section: SIGN_IN,
      run: async (trial) => {
        const { email } = await trial.at.newMember();
        const ask = (who: string) => trial.post(trial.at.key, '/auth/forgot-password', { email: who });
        const [known, unknown] = [await ask(email), await ask(trial.at.newEmail())];
        trial.equal(known.status, 200, 'the status');
        trial.equal([unknown.status, unknown.body.message], [known.status, known.body.message], 'the answer');
        const code = { email, code: '000000' };
        trial.refused(await trial.post(trial.at.key, '/auth/validate-reset-code', code), 400);
        const reset = { ...code, newPassword: 'another password' };
        trial.refused(await trial.post(trial.at.key, '/auth/reset-password', reset), 400);
      },
    },
    {
      title: 'a member who leaves needs the password, and is gone then',
      section: 'endpoints.tsv; decisions, "Sign-in"',
      run: async (trial) => {
        const member = await trial.at.newMember();
        trial.ok(
          (await trial.delete(member, '/v1/user', { password: 'wrong one' })).status >= 400,
          'a wrong password deletes',
        );
        trial.accepted(await trial.delete(member, '/v1/user', { password: member.password }), 200);
        trial.refused(await trial.get(member, '/v1/user/profile'), 401);
        const { email, password } = member;
        trial.refused(
          await trial.post(trial.at.key, '/v1/auth/signin', { email, password, platform: 'web' }),
          401,
        );
      },
    },
  ],
};
