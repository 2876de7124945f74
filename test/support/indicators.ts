import assert from 'node:assert/strict';
import {
  createIndicator,
  grantIndicatorAccess,
  listMyIndicatorAccess,
  type receiveActivityStatus,
  type receiveIndicatorAccess,
  updateUser,
} from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import type { Answer } from './answer.ts';
import type { Client } from './client.ts';
import { until } from './live.ts';
import { type TestPlatform, WEBHOOK_SECRET } from './platform.ts';

type Member = Awaited<ReturnType<TestPlatform['newMember']>>;

/** Settings with short pauses and timeouts, so that tests of indicators do not wait. */
export const QUICK = {
  CHARTING_RATE: '1000',
  CHARTING_CONCURRENCY: '8',
  CHARTING_TIMEOUT_SECONDS: '2',
  CHARTING_RETRY_SECONDS: '0.02',
  CHARTING_ATTEMPTS: '3',
};

/** The same for tests in which the charting platform always answers, but may be late on a busy machine. */
export const ANSWERED = { ...QUICK, CHARTING_TIMEOUT_SECONDS: '30' };

/** The state of the stand-in for the charting platform. */
interface Charting {
  holders: Record<string, string[]>;
  calls: { path: string; username: string }[];
}

type Grant = TypesOf<typeof listMyIndicatorAccess>['data'][number];

let scripts = 0;

/** Helpers of the tests of indicators: for the backoffice, administrators and the charting platform. */
export function indicatorTools(
  platform: Pick<TestPlatform, 'url' | 'sandboxUrl' | 'standIn' | 'admin' | 'newMember'>,
) {
  const { admin, sandboxUrl } = platform;

  async function charting(method: string, body?: object): Promise<Charting> {
    const response = await fetch(`${sandboxUrl}/control/charting`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as Charting;
  }
  const post = async <Data>(
    path: string,
    body: object,
    secret: string | undefined = WEBHOOK_SECRET,
  ): Promise<Answer<Data>> => {
    const response = await fetch(`${platform.url}/v1/streams/webhooks/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(secret && { 'x-webhook-secret': secret }) },
      body: JSON.stringify(body),
    });
    const answered = (await response.json()) as Answer<Data>['body'] & { data: Data };
    return { status: response.status, headers: response.headers, body: answered, data: answered.data };
  };
  const rowsOf = async ({ client }: { client: Client }) => (await client.call(listMyIndicatorAccess)).data;
  const holders = async (pineId: string): Promise<string[]> => (await charting('GET')).holders[pineId] ?? [];

  return {
    charting,
    holders,
    rowsOf,
    /** Grants access at the charting platform, as the owner of the scripts can do by hand. */
    admit: (pineId: string, ...names: string[]) => charting('PUT', { admit: { [pineId]: names } }),
    tell: (mode: string, more: object = {}) => platform.standIn('charting', { mode, ...more }),
    access: (body: object, secret?: string) =>
      post<TypesOf<typeof receiveIndicatorAccess>['data']>('indicator-access', body, secret),
    activity: (body: object, secret?: string) =>
      post<TypesOf<typeof receiveActivityStatus>['data']>('activity-status', body, secret),
    async newIndicator(fields: Partial<TypesOf<typeof createIndicator>['body']> = {}) {
      const pineId = `PUB;${(++scripts).toString(16).padStart(8, '0')}${Date.now()}`;
      const created = await admin.call(createIndicator, {
        body: {
          name: `Indicator ${scripts}`,
          pineId,
          ...fields,
        },
      });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      return { ...created.data, pineId: created.data.pineId ?? '' };
    },
    /** Creates a member with a customer id of the backoffice. `by` is an administrator who is still signed in. */
    async newCustomer(by: Client = admin): Promise<Member & { customerId: string }> {
      const member = await platform.newMember();
      const customerId = `C-${member.id}`;
      await by.call(updateUser, { params: { userId: member.id }, body: { customerId } });
      return { ...member, customerId };
    },
    grant: (scanner: { id: string }, member: { id: string }, chartingUsername: string) =>
      admin.call(grantIndicatorAccess, {
        params: { id: scanner.id },
        body: { userId: member.id, chartingUsername },
      }),
    /** Waits until the grant of an indicator has a status. */
    async untilStatus(member: { client: Client }, scanner: { id: string }, status: string) {
      let row: Grant | undefined;
      await until(async () => {
        row = (await rowsOf(member)).find(({ scannerId }) => scannerId === scanner.id);
        return row?.status === status;
      }, status).catch((error) => {
        throw new Error(`${error.message}: ${JSON.stringify(row)}`);
      });
      return row as unknown as Grant;
    },
  };
}
