import type { Area, Case } from '../cases.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import type { Caller } from '../exchange.ts';
import type { Trial } from '../trial.ts';

const UNKNOWN_ID = 'ffffffffffffffffffffffff';
const SECTION = 'endpoints.tsv; part 1, "Authentication"';

/** Callers of operations that take another secret than an API key; their refusals have cases of their own. */
const WITHOUT_KEY = new Set(['webhook-secret', 'webhook']);
const FOR_MEMBERS = new Set(['user', 'educator', 'educator-or-admin', 'moderator', 'admin', 'authorized']);
/** Callers whose permissions are checked before the record in the path is looked up. */
const FOR_ADMINISTRATORS = new Set(['admin', 'moderator', 'authorized']);
/** Operations that accept the token of a link or an API key of the Admin tier instead of a bearer token. */
const WITHOUT_TOKEN = new Set(['POST /v1/auth/verify-email', 'GET /v1/events']);

/** Replaces each parameter of a path by an id that no record has. */
const withUnknownIds = (path: string): string => path.replace(/:\w+/g, UNKNOWN_ID);

async function expectRefusals(
  trial: Trial,
  endpoints: readonly Endpoint[],
  caller: Caller,
  expected: number,
): Promise<void> {
  for (const { method, path } of endpoints) {
    const answer = await trial.send(caller, method, withUnknownIds(path), method === 'GET' ? undefined : {});
    trial.refused(answer, expected);
  }
}

/**
 * Makes one case for each group of paths, so that a failure names its group and the other groups are still judged.
 */
const each = (
  title: (group: string) => string,
  isMeant: (endpoint: Endpoint) => boolean,
  run: (trial: Trial, of: Endpoint[]) => Promise<void>,
): Case[] =>
  [...Map.groupBy(ENDPOINTS.filter(isMeant), ({ path }) => path.split('/').slice(1, 3).join('/'))].map(
    ([group, of]) => ({ title: title(group), section: SECTION, run: (trial) => run(trial, of) }),
  );

export const access: Area = {
  name: 'access',
  cases: [
    ...each(
      (group) => `without an API key nobody gets through at ${group}`,
      ({ caller }) => !WITHOUT_KEY.has(caller),
      (trial, of) => expectRefusals(trial, of, { headers: {} }, 401),
    ),
    ...each(
      (group) => `without a token nobody acts as a member at ${group}`,
      ({ method, path, caller }) => FOR_MEMBERS.has(caller) && !WITHOUT_TOKEN.has(`${method} ${path}`),
      (trial, of) => expectRefusals(trial, of, trial.at.key, 401),
    ),
    ...each(
      (group) => `a forged token is refused at ${group}`,
      ({ caller }) => FOR_MEMBERS.has(caller),
      async (trial, of) => {
        const { headers } = await trial.at.member('ada');
        const authorization = `${headers.authorization?.slice(0, -6)}AAAAAA`;
        await expectRefusals(trial, of, { headers: { ...headers, authorization } }, 401);
      },
    ),
    ...each(
      (group) => `members are no administrators at ${group}`,
      ({ caller }) => FOR_ADMINISTRATORS.has(caller),
      async (trial, of) => expectRefusals(trial, of, await trial.at.member('ada'), 403),
    ),
    {
      title: 'other methods of a path are refused with those that it has',
      section: 'decisions, "Envelope and errors"',
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        for (const [path, of] of Map.groupBy(ENDPOINTS, ({ path }) => path)) {
          const answer = await trial.send(ada, 'PROPFIND', withUnknownIds(path));
          trial.refused(answer, 405, 'METHOD_NOT_ALLOWED');
          const allowed = (answer.headers.get('allow') ?? '').split(', ');
          for (const { method } of of) trial.ok(allowed.includes(method), `Allow does not name ${method}`);
        }
      },
    },
    {
      title: 'the error of a caller with a key can be looked up by an Admin-tier key alone',
      section: 'part 1, "Sign-in and account operations"; decisions, "Envelope and errors"',
      run: async (trial) => {
        const body = { email: trial.at.newEmail(), password: 'not the password', platform: 'web' };
        const failure = await trial.post(trial.at.key, '/v1/auth/signin', body);
        trial.refused(failure, 401);
        const answer = await trial.eventually(
          () => trial.get(trial.at.key, `/v1/errors/${failure.body.errorId}`),
          ({ status }) => status === 200,
          'the report of the error',
        );
        const report = trial.accepted(answer, 200);
        trial.equal(report.errorId, failure.body.errorId, '"errorId"');
        trial.shape(report, { serviceName: 'string', operation: 'string', errorMessage: 'string' });
        trial.shape(report, { request: 'object', severity: 'string', timestamp: 'instant' });
        trial.equal(report.severity, 'medium', '"severity" of a 401');
        trial.equal(report.request.method, 'POST', '"request.method"');
        trial.ok(!answer.text.includes('not the password'), 'the report has the password');
      },
    },
  ],
};
