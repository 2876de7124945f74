import type { Area, Case } from '../cases.ts';
import type { Trial } from '../trial.ts';

const SIGN_IN = 'part 1, "Platform access by SKU"';
const PLATFORMS = ['app', 'livestream', 'scanners', 'web', 'backoffice'];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DENIED = 'PLATFORM_ACCESS_DENIED';

/** How many days a purchase of each product gives access. */
const WINDOWS: Record<string, number> = {
  XHSET303: 365,
  XHSET202: 90,
  DSAS408: 7,
  XHSET101: 30,
  XHM102: 30,
  DSAS404: 30,
};

/** Records a purchase of a new member made `agoMs` milliseconds ago, and returns the response to signing in. */
async function signInAfter(trial: Trial, sku: string, agoMs: number, platform: string) {
  const { id, email, password } = await trial.at.newMember();
  const last_purchased_date = new Date(Date.now() - agoMs).toISOString();
  const purchase = { sku, product_name: 'Conformance', last_purchased_date };
  const path = `/v1/admin/auth/users/${id}/purchases`;
  trial.accepted(await trial.post(trial.at.admin, path, purchase), 201);
  return trial.post(trial.at.key, '/v1/auth/signin', { email, password, platform });
}

const windows: Case[] = Object.entries(WINDOWS).map(([sku, days]) => ({
  title: `${sku} gives access to app and livestream for ${days} days`,
  section: SIGN_IN,
  needs: ['administrator'],
  run: async (trial) => {
    for (const platform of ['app', 'livestream']) {
      trial.accepted(await signInAfter(trial, sku, days * DAY_MS - HOUR_MS, platform), 200);
      trial.refused(await signInAfter(trial, sku, days * DAY_MS + HOUR_MS, platform), 403, DENIED);
    }
  },
}));

export const signIn: Area = {
  name: 'sign-in',
  cases: [
    {
      title: 'sign-up answers tokens and the member, once for each address',
      section: 'part 1, "Sign-in and account operations"; decisions, "Sign-in"',
      run: async (trial) => {
        const { email, password } = await trial.at.newMember();
        const body = { email, password, firstName: 'A', lastName: 'B', platform: 'web' };
        trial.refused(await trial.post(trial.at.key, '/v1/auth/signup', body), 409);
        const other = { ...body, email: email.toUpperCase() };
        trial.refused(await trial.post(trial.at.key, '/v1/auth/signup', other), 409);
        const answer = await trial.post(trial.at.key, '/v1/auth/signin', {
          email,
          password,
          platform: 'web',
        });
        const data = trial.accepted(answer, 200);
        trial.shape(data, { accessToken: 'string', refreshToken: 'string', user: 'object' });
        trial.shape(data.user, { id: 'id', email: 'string', permissions: 'array' });
        trial.ok(!answer.text.includes(password), 'the answer has the password');
      },
    },
    ...['signup', 'signin'].map(
      (operation): Case => ({
        title: `${operation} needs one of the platforms`,
        section: 'part 1, "Errors"',
        run: async (trial) => {
          const body = {
            email: trial.at.newEmail(),
            password: 'long enough for it',
            firstName: 'A',
            lastName: 'B',
          };
          const none = await trial.post(trial.at.key, `/v1/auth/${operation}`, body);
          trial.refused(none, 400);
          trial.matches(none.body.message, /^Platform is required/, '"message"');
          for (const platform of PLATFORMS)
            trial.ok(none.body.message.includes(platform), `the message does not name ${platform}`);
          for (const platform of ['ios', 'WEB', '']) {
            const answer = await trial.post(trial.at.key, `/v1/auth/${operation}`, { ...body, platform });
            trial.refused(answer, 400);
          }
        },
      }),
    ),
    {
      title: 'sign-up refuses short and endless passwords and what is no address',
      section: 'decisions, "Sign-in"',
      run: async (trial) => {
        const body = {
          email: trial.at.newEmail(),
          password: 'long enough',
          firstName: 'A',
          lastName: 'B',
          platform: 'web',
        };
        for (const wrong of [
          { password: 'seven77' },
          { password: 'x'.repeat(129) },
          { email: 'nobody' },
          { email: 5 },
        ])
          trial.refused(await trial.post(trial.at.key, '/v1/auth/signup', { ...body, ...wrong }), 422);
      },
    },
    {
      title: 'a wrong password and an unknown address are refused alike',
      section: 'part 1, "Errors"; decisions, "Sign-in"',
      run: async (trial) => {
        const { email } = await trial.at.member('ada');
        const refusals = [];
        for (const who of [email, trial.at.newEmail()]) {
          const body = { email: who, password: 'not the password', platform: 'web' };
          const answer = await trial.post(trial.at.key, '/v1/auth/signin', body);
          trial.refused(answer, 401, undefined, 'External Backoffice authentication failed');
          refusals.push(answer.body.error);
        }
        trial.equal(refusals[0], refusals[1], 'the code of an unknown address');
      },
    },
    {
      title: 'app and livestream need a purchase; web, backoffice and scanners do not',
      section: SIGN_IN,
      run: async (trial) => {
        const { email, password } = await trial.at.newMember();
        for (const platform of ['app', 'livestream']) {
          const answer = await trial.post(trial.at.key, '/v1/auth/signin', { email, password, platform });
          trial.refused(answer, 403, DENIED);
          trial.equal(answer.body.statusCode, 403, '"statusCode"');
          const message = `No access to ${platform}. A valid subscription (SKU) is required`;
          trial.equal(answer.body.message, message, '"message"');
        }
        for (const platform of ['web', 'scanners'])
          trial.accepted(
            await trial.post(trial.at.key, '/v1/auth/signin', { email, password, platform }),
            200,
          );
      },
    },
    ...windows,
    {
      title: 'products that a platform does not list give no access to it',
      section: SIGN_IN,
      needs: ['administrator'],
      run: async (trial) => {
        for (const sku of ['FREEACCESS', 'XHDEP303', 'XHDEP202', 'UNKNOWN1'])
          trial.refused(await signInAfter(trial, sku, HOUR_MS, 'app'), 403, DENIED);
      },
    },
    {
      title: 'an inactive account cannot sign in, and its tokens end',
      section: SIGN_IN,
      needs: ['administrator'],
      run: async (trial) => {
        const member = await trial.at.newMember();
        const path = `/v1/admin/auth/users/${member.id}`;
        trial.accepted(await trial.put(trial.at.admin, path, { isActive: false }), 200);
        const { email, password } = member;
        const answer = await trial.post(trial.at.key, '/v1/auth/signin', {
          email,
          password,
          platform: 'web',
        });
        trial.refused(answer, 403, undefined, 'Account is inactive');
        const { status } = await trial.get(member, '/v1/user/profile');
        trial.ok(
          status === 401 || status === 403,
          `the token of an inactive account is answered with ${status}`,
        );
      },
    },
  ],
};
