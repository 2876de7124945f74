import type { Area } from '../cases.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'part 2, "Indicators" and "Errors"';
const GRANT = '/v1/streams/webhooks/indicator-access';
const ACTIVITY = '/v1/streams/webhooks/activity-status';

/** An indicator without a script at the charting platform, so that nothing is granted there. */
async function newIndicator(trial: Trial): Promise<string> {
  const body = { name: `Conformance ${trial.at.run}`, isActive: false };
  const { id } = trial.accepted(await trial.post(trial.at.admin, '/v1/streams/scanners', body), 201);
  trial.at.onClose(trial.at.admin, 'DELETE', `/v1/streams/scanners/${id}`);
  return id;
}

export const indicators: Area = {
  name: 'indicators',
  cases: [
    {
      title: 'the catalogue is kept by administrators, and retired ones are hidden from members',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const [id, ada] = [await newIndicator(trial), await trial.at.member('ada')];
        const has = async (caller: typeof ada | typeof trial.at.admin, query = '') => {
          const { body } = await trial.get(caller, `/v1/streams/scanners${query}`);
          return body.data.some((one: { id: string }) => one.id === id);
        };
        trial.equal(
          [await has(ada), await has(trial.at.admin, '?includeInactive=true')],
          [false, true],
          'who sees it',
        );
        const changed = await trial.put(trial.at.admin, `/v1/streams/scanners/${id}`, {
          description: 'Changed',
        });
        trial.equal(trial.accepted(changed, 200).description, 'Changed', '"description"');
        trial.refused(await trial.post(trial.at.admin, '/v1/streams/scanners', { pineId: 'PUB;x' }), 422);
        trial.accepted(await trial.delete(trial.at.admin, `/v1/streams/scanners/${id}`), 200);
        trial.refused(await trial.get(trial.at.admin, `/v1/streams/scanners/${id}`), 404);
      },
    },
    {
      title: 'members see their own access and save their handle',
      section: 'decisions, "Indicators"',
      run: async (trial) => {
        const member = await trial.at.newMember();
        trial.equal(
          trial.accepted(await trial.get(member, '/v1/streams/scanners/access/mine'), 200),
          [],
          'the access',
        );
        const path = '/v1/streams/scanners/charting-username';
        trial.accepted(await trial.put(member, path, { chartingUsername: `c_${trial.at.run}` }), 200);
        for (const chartingUsername of ['', 5])
          trial.refused(await trial.put(member, path, { chartingUsername }), 422);
      },
    },
    {
      title: 'the webhooks need their secret',
      section: SECTION,
      run: async (trial) => {
        for (const path of [GRANT, ACTIVITY])
          for (const headers of [{}, { 'x-webhook-secret': 'wrong' }] as Record<string, string>[]) {
            const answer = await trial.post({ headers }, path, {});
            if (answer.status === 503) trial.refused(answer, 503, 'WEBHOOK_NOT_CONFIGURED');
            else trial.refused(answer, 401, 'UNAUTHORIZED');
          }
      },
    },
    {
      title: 'the webhook of access names what is wrong with its body',
      section: SECTION,
      needs: ['webhook-secret'],
      run: async (trial) => {
        const caller = { headers: { 'x-webhook-secret': trial.at.options.webhookSecret as string } };
        const scanner_ids = ['f'.repeat(24)];
        trial.refused(
          await trial.post(caller, GRANT, { action: 'grant', scanner_ids }),
          400,
          'INVALID_PAYLOAD',
        );
        const customer_id = `conformance-${trial.at.run}`;
        const strange = { customer_id, action: 'lend', scanner_ids };
        trial.refused(await trial.post(caller, GRANT, strange), 400, 'INVALID_ACTION');
        const unknown = { customer_id, action: 'revoke', scanner_ids };
        trial.refused(await trial.post(caller, GRANT, unknown), 404, 'CUSTOMER_NOT_FOUND');
      },
    },
    {
      title: 'a grant without a handle on record writes nothing',
      section: SECTION,
      needs: ['webhook-secret', 'administrator'],
      run: async (trial) => {
        const caller = { headers: { 'x-webhook-secret': trial.at.options.webhookSecret as string } };
        const [member, scanner] = [await trial.at.newMember(), await newIndicator(trial)];
        const customer_id = `conformance-${member.id}`;
        const path = `/v1/admin/auth/users/${member.id}`;
        trial.accepted(await trial.put(trial.at.admin, path, { customerId: customer_id }), 200);
        const body = { customer_id, action: 'grant', scanner_ids: [scanner] };
        trial.refused(await trial.post(caller, GRANT, body), 422, 'CHARTING_USERNAME_REQUIRED');
        trial.equal(
          (await trial.get(member, '/v1/streams/scanners/access/mine')).body.data,
          [],
          'the access',
        );
      },
    },
    {
      title: 'the webhook of activity never guesses',
      section: 'part 2, "Indicators"; decisions, "Indicators"',
      needs: ['webhook-secret'],
      run: async (trial) => {
        const caller = { headers: { 'x-webhook-secret': trial.at.options.webhookSecret as string } };
        const { id: userId } = await trial.at.newMember();
        trial.refused(
          await trial.post(caller, ACTIVITY, { userId, status: 'sleepy' }),
          400,
          'UNKNOWN_STATUS',
        );
        for (const wrong of [
          { status: 'active' },
          { userId },
          { userId, active: 'yes' },
          { userId, active: true, status: 'cancelled' },
        ])
          trial.refused(await trial.post(caller, ACTIVITY, wrong), 400, 'INVALID_PAYLOAD');
        for (const status of [
          'active',
          'enabled',
          'inactive',
          'cancelled',
          'canceled',
          'expired',
          'suspended',
          'disabled',
        ])
          trial.accepted(await trial.post(caller, ACTIVITY, { userId, status }), 200);
      },
    },
  ],
};
