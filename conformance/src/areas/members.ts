import type { Area } from '../cases.ts';

const DATA = 'part 3, section 3';
const MAIL = 'part 3, section 4';
const APPS = 'part 3, section 6';
const UNKNOWN_ID = 'ffffffffffffffffffffffff';
const reason = 'a check of conformance';

export const members: Area = {
  name: 'members',
  cases: [
    {
      title: 'members are shown to each other by name, without their address',
      section: APPS,
      run: async (trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const answer = await trial.get(ada, `/v1/members/${ben.id}`);
        const shown = trial.accepted(answer, 200);
        trial.shape(shown, { id: 'id', name: 'string', isEducator: 'boolean' });
        trial.ok(!answer.text.includes(ben.email), 'the member is shown with their address');
        const several = await trial.get(ada, `/v1/members?ids=${[ada.id, ben.id, UNKNOWN_ID].join()}`);
        trial.equal(
          trial
            .accepted(several, 200)
            .map(({ id }: { id: string }) => id)
            .sort(),
          [ada.id, ben.id].sort(),
          'the members',
        );
        trial.refused(await trial.get(ada, `/v1/members/${UNKNOWN_ID}`), 404);
        trial.refused(await trial.get(ada, '/v1/members?ids=nonsense'), 400, 'INVALID_ID');
        const tooMany = Array.from({ length: 101 }, () => ada.id).join();
        trial.refused(await trial.get(ada, `/v1/members?ids=${tooMany}`), 422);
      },
    },
    {
      title: 'a username belongs to one member',
      section: APPS,
      run: async (trial) => {
        const [ada, ben] = [await trial.at.newMember(), await trial.at.newMember()];
        const username = `c${trial.at.run}x`;
        const path = '/v1/user/profile';
        trial.equal(
          trial.accepted(await trial.patch(ada, path, { username }), 200).username,
          username,
          '"username"',
        );
        trial.refused(await trial.patch(ben, path, { username }), 409, 'USERNAME_TAKEN');
        const ignored = await trial.patch(ada, path, { bio: 'Hello', nonsense: 1 });
        trial.accepted(ignored, 200);
        trial.equal(ignored.body.meta.ignored, ['nonsense'], '"meta.ignored"');
      },
    },
    {
      title: 'who has no wallet is told so by its own code',
      section: APPS,
      run: async (trial) =>
        trial.refused(
          await trial.get(await trial.at.newMember(), '/v1/wallets/balance'),
          404,
          'WALLET_NOT_FOUND',
        ),
    },
    {
      title: 'an account is deleted with its password, and cannot sign in any more',
      section: APPS,
      run: async (trial) => {
        const ada = await trial.at.newMember();
        trial.ok(
          (await trial.delete(ada, '/v1/user', { password: 'a guess' })).status >= 400,
          'a guess deletes',
        );
        trial.accepted(await trial.delete(ada, '/v1/user', { password: ada.password }), 200);
        trial.refused(await trial.get(ada, '/v1/user/profile'), 401);
        const body = { email: ada.email, password: ada.password, platform: 'web' };
        trial.refused(await trial.post(trial.at.key, '/v1/auth/signin', body), 401);
      },
    },
    {
      title: 'an export is made once at a time, and once a day',
      section: DATA,
      run: async (trial) => {
        const ada = await trial.at.newMember();
        trial.refused(await trial.get(ada, '/v1/user/export'), 404);
        const answer = await trial.post(ada, '/v1/user/export');
        if (answer.body.error === 'STORAGE_NOT_CONFIGURED')
          trial.skip('the installation has no object storage');
        const begun = trial.accepted(answer, 202);
        trial.equal(begun.status, 'pending', '"status"');
        const again = await trial.post(ada, '/v1/user/export');
        trial.ok([409, 429].includes(again.status), `a second one is answered ${again.status}`, again);
        const ready = await trial.eventually(
          () => trial.get(ada, '/v1/user/export'),
          ({ body }) => body.data.status !== 'pending',
          'the export',
        );
        const { status, url } = ready.body.data;
        trial.equal(status, 'ready', '"status"');
        trial.shape(ready.body.data, {
          id: 'string',
          readyAt: 'instant',
          expiresAt: 'instant',
          url: 'string',
        });
        trial.refused(await trial.post(ada, '/v1/user/export'), 429);
        const file = await fetch(new URL(url, trial.at.url));
        trial.equal(file.status, 200, 'the status of the file');
        const start = Buffer.from(await file.arrayBuffer())
          .subarray(0, 2)
          .toString();
        trial.equal(start, 'PK', 'the beginning of the ZIP');
      },
    },
    {
      title: 'mail to an address that bounced is suppressed until an administrator lifts it',
      section: MAIL,
      needs: ['webhook-secret', 'administrator'],
      run: async (trial) => {
        const { admin } = trial.at;
        const caller = { headers: { 'x-webhook-secret': trial.at.options.webhookSecret as string } };
        const email = trial.at.newEmail();
        const body = {
          email: email.toUpperCase(),
          kind: 'bounce',
          permanent: true,
          at: new Date().toISOString(),
        };
        const path = '/v1/webhooks/mail';
        trial.refused(await trial.post({ headers: { 'x-webhook-secret': 'wrong' } }, path, body), 401);
        trial.refused(await trial.post({ headers: {} }, path, body), 401);
        trial.accepted(await trial.post(caller, path, body), 200);
        const listed = async () =>
          trial
            .accepted(await trial.get(admin, `/v1/admin/mail/suppressions?email=${email}`), 200)
            .map((one: { email: string }) => one.email);
        trial.equal(await listed(), [email.toLowerCase()], 'the suppressed addresses');
        trial.accepted(await trial.delete(admin, `/v1/admin/mail/suppressions/${email}`, { reason }), 200);
        trial.equal(await listed(), [], 'the suppressed addresses');
        trial.refused(await trial.delete(admin, `/v1/admin/mail/suppressions/${email}`, { reason }), 404);
        trial.accepted(await trial.post(caller, path, { ...body, permanent: false }), 200);
        trial.equal(await listed(), [], 'the addresses after a temporary bounce');
      },
    },
  ],
};
