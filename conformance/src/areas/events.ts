import type { Area } from '../cases.ts';

const SECTION = 'part 3, section 1';
const ENDPOINTS = '/v1/webhook-endpoints';

export const events: Area = {
  name: 'events',
  cases: [
    {
      title: 'the feed tells what happened, in order, to keys of the Admin tier',
      section: SECTION,
      run: async (trial) => {
        const member = await trial.at.newMember();
        const find = async () => {
          let after = '';
          for (;;) {
            const answer = await trial.get(trial.at.key, `/v1/events?types=user.created&limit=500${after}`);
            trial.accepted(answer, 200);
            const found = answer.body.data.find(
              (one: { data: { userId: string } }) => one.data.userId === member.id,
            );
            if (found || answer.body.pagination.nextCursor === null) return { answer, found };
            after = `&after=${answer.body.pagination.nextCursor}`;
          }
        };
        let found = await find();
        for (let tries = 0; !found.found && tries < 50; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          found = await find();
        }
        trial.ok(found.found !== undefined, 'the feed has no user.created of the new member', found.answer);
        trial.matches(found.found.id, /^evt_[0-9a-f]{24}$/, '"id"');
        trial.equal(found.found.type, 'user.created', '"type"');
        trial.shape(found.found, { timestamp: 'instant', data: 'object' });
        trial.ok(
          !JSON.stringify(found.found).includes(member.email),
          'the event has the address of the member',
        );
        trial.refused(await trial.get(member, '/v1/events'), 403);
        trial.refused(await trial.get(trial.at.key, '/v1/events?types=nothing.happened'), 422);
        trial.refused(await trial.get(trial.at.key, '/v1/events?after=nonsense'), 422);
      },
    },
    {
      title: 'an endpoint is registered with a secret that is shown once',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const url = 'https://conformance.example.com/hooks';
        const body = { url, types: ['wallet.*', 'user.created'], enabled: false, description: trial.at.run };
        const endpoint = trial.accepted(await trial.post(trial.at.admin, ENDPOINTS, body), 201);
        const path = `${ENDPOINTS}/${endpoint.id}`;
        trial.at.onClose(trial.at.admin, 'DELETE', path);
        trial.matches(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/, '"secret"');
        const { lastSequence, failingSince, disabledReason, ordered, enabled } = endpoint;
        trial.equal(
          [lastSequence, failingSince, disabledReason, ordered, enabled],
          [0, null, null, false, false],
          'it',
        );
        const shown = trial.accepted(await trial.get(trial.at.admin, path), 200);
        trial.equal(
          [shown.url, shown.secret, shown.pending, shown.failed],
          [url, undefined, 0, 0],
          'what is shown',
        );
        const rotated = trial.accepted(await trial.post(trial.at.admin, `${path}/rotate-secret`), 200);
        trial.ok(rotated.secret !== endpoint.secret, 'the new secret is the old one');
        trial.shape(rotated, { secret: 'string', previousSecretExpiresAt: 'instant' });
        trial.refused(await trial.post(trial.at.admin, `${path}/test`), 409);
        trial.equal((await trial.get(trial.at.admin, `${path}/deliveries`)).body.data, [], 'the deliveries');
        for (const types of [[], ['nothing.happened'], ['nothing.*']])
          trial.refused(await trial.patch(trial.at.admin, path, { types }), 422);
        for (const since of [{}, { fromSequence: 1, since: new Date().toISOString() }])
          trial.refused(await trial.post(trial.at.admin, `${path}/replay`, since), 422);
        trial.accepted(await trial.delete(trial.at.admin, path), 200);
        trial.refused(await trial.get(trial.at.admin, path), 404);
      },
    },
    {
      title: 'addresses of one’s own network are no endpoints',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        for (const url of [
          'http://10.0.0.1/',
          'https://192.168.1.1/',
          'https://169.254.169.254/latest',
          'https://[fd00::1]/',
          'https://user:password@example.com/',
          'https://example.com/#fragment',
          'ftp://example.com/',
          'nonsense',
        ])
          trial.refused(await trial.post(trial.at.admin, ENDPOINTS, { url, enabled: false }), 422);
      },
    },
  ],
};
