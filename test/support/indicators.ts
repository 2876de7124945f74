import assert from 'node:assert/strict';
import type { Answer, Client, Loose } from './client.ts';
import { until } from './live.ts';
import { type TestPlatform, WEBHOOK_SECRET } from './platform.ts';

type Member = Awaited<ReturnType<TestPlatform['newMember']>>;

/** Settings under which tests of indicators do not wait. */
export const QUICK = {
  CHARTING_RATE: '1000',
  CHARTING_CONCURRENCY: '8',
  CHARTING_TIMEOUT_SECONDS: '0.5',
  CHARTING_RETRY_SECONDS: '0.02',
  CHARTING_ATTEMPTS: '3',
};

let scripts = 0;

/** Everything that tests of indicators do: as the backoffice, as an administrator, and at the charting platform. */
export function indicatorTools(
  platform: Pick<TestPlatform, 'url' | 'sandboxUrl' | 'standIn' | 'admin' | 'newMember'>,
) {
  const { admin, sandboxUrl } = platform;

  async function charting(method: string, body?: object): Promise<Loose> {
    const response = await fetch(`${sandboxUrl}/control/charting`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    assert.equal(response.status, 200);
    return response.json();
  }
  const post = async (
    path: string,
    body: object,
    secret: string | undefined = WEBHOOK_SECRET,
  ): Promise<Answer> => {
    const response = await fetch(`${platform.url}/v1/streams/webhooks/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(secret && { 'x-webhook-secret': secret }) },
      body: JSON.stringify(body),
    });
    const answered = (await response.json()) as Loose;
    return { status: response.status, headers: response.headers, body: answered, data: answered.data };
  };
  const rowsOf = async ({ client }: { client: Client }): Promise<Loose[]> =>
    (await client.get('/v1/streams/scanners/access/mine')).data;
  const holders = async (pineId: string): Promise<string[]> => (await charting('GET')).holders[pineId] ?? [];

  return {
    charting,
    holders,
    rowsOf,
    /** Admits people as the owner of the scripts does by hand. */
    admit: (pineId: string, ...names: string[]) => charting('PUT', { admit: { [pineId]: names } }),
    tell: (mode: string, more: object = {}) => platform.standIn('charting', { mode, ...more }),
    access: (body: object, secret?: string) => post('indicator-access', body, secret),
    activity: (body: object, secret?: string) => post('activity-status', body, secret),
    async newIndicator(fields: object = {}): Promise<Loose> {
      const pineId = `PUB;${(++scripts).toString(16).padStart(8, '0')}${Date.now()}`;
      const made = await admin.post('/v1/streams/scanners', {
        name: `Indicator ${scripts}`,
        pineId,
        ...fields,
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.data;
    },
    /** A member whom the backoffice knows. */
    async newCustomer(): Promise<Member & { customerId: string }> {
      const made = await platform.newMember();
      const customerId = `C-${made.id}`;
      await admin.put(`/v1/admin/auth/users/${made.id}`, { customerId });
      return { ...made, customerId };
    },
    grant: (scanner: { id: string }, member: { id: string }, chartingUsername: string): Promise<Answer> =>
      admin.post(`/v1/streams/scanners/${scanner.id}/access`, { userId: member.id, chartingUsername }),
    /** Waits until the grant of an indicator has a status. */
    async untilStatus(member: { client: Client }, scanner: { id: string }, status: string): Promise<Loose> {
      let row: Loose;
      await until(
        async () => {
          row = (await rowsOf(member)).find(({ scannerId }) => scannerId === scanner.id);
          return row?.status === status;
        },
        status,
        30_000,
      ).catch((error) => {
        throw new Error(`${error.message}: ${JSON.stringify(row)}`);
      });
      return row;
    },
  };
}
