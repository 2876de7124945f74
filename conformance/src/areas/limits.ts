import type { Area } from '../cases.ts';
import type { Trial } from '../trial.ts';

const TIERS = { mobile: 60, live_platform: 120, crm: 300, third_party: 60 };

export const limits: Area = {
  name: 'limits',
  cases: [
    {
      title: 'a key of the Admin tier has no limit, and says so',
      section: 'part 1, "Limits"; decisions, "Envelope and errors"',
      run: async (trial) => {
        const { headers } = await trial.get(trial.at.key, '/v1/livestreams/public/live');
        trial.equal(headers.get('x-ratelimit-limit'), '2147483647', 'x-ratelimit-limit');
        trial.equal(headers.get('x-ratelimit-remaining'), '2147483647', 'x-ratelimit-remaining');
      },
    },
    ...Object.entries(TIERS).map(([tier, perMinute]) => ({
      title: `a key of the tier ${tier} has ${perMinute} requests a minute, and is refused once it is revoked`,
      section: 'part 1, "Limits"; decisions, "API keys, limits"',
      needs: ['administrator' as const],
      run: async (trial: Trial) => {
        const name = `conformance ${trial.at.run}`;
        const key = trial.accepted(
          await trial.post(trial.at.admin, '/v1/admin/api-keys', { name, tier }),
          201,
        );
        trial.at.onClose(trial.at.admin, 'DELETE', `/v1/admin/api-keys/${key.id}`);
        trial.shape(key, { id: 'string', key: 'string', environment: 'string', createdAt: 'instant' });
        trial.matches(key.key, /^pk_(development|production)_\w+_[\w-]+$/, '"key"');
        trial.equal([key.name, key.tier], [name, tier], 'name and tier');
        const caller = { headers: { 'x-api-key': key.key } };
        const first = await trial.get(caller, '/v1/livestreams/public/live');
        const second = await trial.get(caller, '/v1/livestreams/public/live');
        trial.equal(first.headers.get('x-ratelimit-limit'), String(perMinute), 'x-ratelimit-limit');
        const [left = 0, then = 0] = [first, second].map(({ headers }) =>
          Number(headers.get('x-ratelimit-remaining')),
        );
        trial.ok(then === left - 1 || then === perMinute - 1, `${left} requests were left, and then ${then}`);
        const { body } = await trial.get(trial.at.admin, '/v1/admin/api-keys');
        trial.ok(!JSON.stringify(body).includes(key.key), 'the list shows the key');
        trial.refused(await trial.get(caller, `/v1/errors/${crypto.randomUUID()}`), 403);
        trial.accepted(await trial.delete(trial.at.admin, `/v1/admin/api-keys/${key.id}`), 200);
        trial.refused(
          await trial.get(caller, '/v1/livestreams/public/live'),
          401,
          undefined,
          'Invalid API key',
        );
      },
    })),
    {
      title: 'beyond the limit it is 429, with the seconds to wait',
      section: 'part 1, "Limits" and "Errors"',
      needs: ['administrator'],
      run: async (trial) => {
        const body = { name: `conformance ${trial.at.run}`, tier: 'mobile' };
        const key = trial.accepted(await trial.post(trial.at.admin, '/v1/admin/api-keys', body), 201);
        trial.at.onClose(trial.at.admin, 'DELETE', `/v1/admin/api-keys/${key.id}`);
        const caller = { headers: { 'x-api-key': key.key } };
        // Twice the allowance of a minute, since a new minute may begin in between.
        for (let sent = 1; sent <= 121; sent++) {
          const answer = await trial.get(caller, '/v1/livestreams/public/live');
          if (answer.status === 200) continue;
          trial.refused(answer, 429, undefined, 'Rate limit exceeded. Please wait.');
          trial.ok(sent > 60, `the request number ${sent} was refused`);
          trial.equal(
            answer.body.meta.retryAfter,
            Number(answer.headers.get('retry-after')),
            '"meta.retryAfter"',
          );
          trial.equal(answer.headers.get('x-ratelimit-remaining'), '0', 'x-ratelimit-remaining');
          return;
        }
        trial.ok(false, '121 requests of a key for 60 a minute were accepted');
      },
    },
  ],
};
