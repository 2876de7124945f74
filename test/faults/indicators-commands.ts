// The actions of members, administrators and the backoffice in the model of indicator access, and their effects on
// the access that should exist.
import assert from 'node:assert/strict';
import {
  compareIndicatorAccess,
  createProduct,
  decideAccessRequest,
  grantIndicatorAccess,
  resolveIndicatorAccess,
  retryIndicatorAccess,
  revokeIndicatorAccess,
  setChartingUsername,
  submitAccessRequest,
} from '../../sdk/src/index.ts';
import { indicatorTools, QUICK } from '../support/indicators.ts';
import { startPlatform } from '../support/platform.ts';
import { noWish, type Wish, wishChanges } from '../support/wishes.ts';

export const GRACE_MS = 2_000_000;
export const platform = await startPlatform({
  ...QUICK,
  LOG_LEVEL: 'silent',
  INDICATOR_GRACE_DAYS: String(GRACE_MS / 86_400_000),
});
const { clock, database } = platform;
const wishes = wishChanges(clock);
const { wish, end } = wishes;
export const { endGrace } = wishes;
export let { admin } = platform;
/** Signs in again: a history spans more time than a session lasts. */
export async function signInAgain(): Promise<void> {
  admin = await platform.signInAdmin();
}
export const tools = indicatorTools(platform);
export const scanners = [await tools.newIndicator(), await tools.newIndicator()];
const products = await Promise.all(
  scanners.map(
    async ({ id: scannerId }) =>
      (await admin.call(createProduct, { body: { name: 'P', productType: 'scanner', scannerId } })).data,
  ),
);

export const MEMBERS = 12;
export const KINDS = [
  'grant-by-hand',
  'revoke-by-hand',
  'grant-all',
  'revoke-all',
  'inactive',
  'active',
  'rename',
  'approve',
  'withdraw',
  'retry',
  'resolve',
  'compare',
  'admit',
  'pass',
] as const;

export interface Actor {
  member: Awaited<ReturnType<typeof tools.newCustomer>>;
  handles: string[];
  /** A handle that the owner of the scripts may admit by hand before a member has it. */
  reserved: string | undefined;
  /** The wanted access, by indicator. */
  wishes: Wish[];
  requests: (string | undefined)[];
}
export interface Command {
  member: number;
  kind: (typeof KINDS)[number];
  scanner: number;
  handle: number;
}

export const keyOf = (scanner: number, handle: string): string => `${scanner} ${handle.toLowerCase()}`;
/** The handles that the owner of the scripts admitted before any member had them. */
export const admitted = new Set<string>();
/** The entries that a person made because of a grant; afterwards it is unknown who made them. */
export const byHand = new Set<string>();
async function admit(scanner: number, handle: string): Promise<void> {
  admitted.add(keyOf(scanner, handle));
  await tools.admit(String(scanners[scanner]?.pineId), handle);
}

interface AccessRow {
  id: string;
  status: string;
  failedAction: string | null;
  handle: string;
}
export const rowOf = ({ member }: Actor, scanner: number): Promise<AccessRow | undefined> =>
  database.first<AccessRow>(
    'select id, status, failed_action, handle from indicators.access where user_id = $1 and indicator_id = $2',
    [member.id, scanners[scanner]?.id],
  );

const expect = (status: number, ...allowed: number[]) =>
  assert.ok(allowed.includes(status), `answered ${status}`);

interface Doing {
  actor: Actor;
  scanner: number;
  handle: string;
  own: Wish;
  /** The id of the indicator. */
  id: string;
}

const grantAll = async ({ actor: { member, wishes }, handle }: Doing): Promise<void> => {
  const body = { customer_id: member.customerId, charting_username: handle, action: 'grant' };
  for (const { status } of await Promise.all([tools.access(body), tools.access(body)])) expect(status, 200);
  for (const one of wishes) wish(one, handle, 'automated');
};

const reportActivity =
  (active: boolean) =>
  async ({ actor: { member, wishes } }: Doing): Promise<void> => {
    expect((await tools.activity({ userId: member.id, active })).status, 200);
    for (const one of wishes) {
      endGrace(one);
      if (one.source === 'manual' || !one.wanted) continue;
      one.graceEndsAt = active ? undefined : (one.graceEndsAt ?? clock.now() + GRACE_MS);
    }
  };

/** Performs each kind of command and updates the model. */
const DO: Record<Command['kind'], (doing: Doing) => Promise<void>> = {
  'grant-by-hand': async ({ actor, own, id, handle }) => {
    const body = { userId: actor.member.id, chartingUsername: handle };
    expect((await admin.attempt(grantIndicatorAccess, { params: { id }, body })).status, 201);
    wish(own, handle, 'manual');
  },
  'revoke-by-hand': async ({ actor, own, id, scanner }) => {
    const row = await rowOf(actor, scanner);
    const revoke = (accessId: string) => admin.attempt(revokeIndicatorAccess, { params: { id, accessId } });
    if (row) expect((await revoke(row.id)).status, 200);
    end(own);
  },
  'grant-all': grantAll,
  'revoke-all': async ({ actor: { member, wishes } }) => {
    expect((await tools.access({ customer_id: member.customerId, action: 'revoke' })).status, 200);
    for (const one of wishes) end(one);
  },
  inactive: reportActivity(false),
  active: reportActivity(true),
  rename: async ({ actor: { member, wishes }, handle }) => {
    const saved = { chartingUsername: handle };
    const { status } = await member.client.attempt(setChartingUsername, { body: saved });
    // The request is refused while the charting platform cannot confirm the handle.
    expect(status, 200, 401, 422, 429);
    if (status === 200) for (const one of wishes) if (one.wanted) one.handle = handle;
  },
  approve: async ({ actor, own, scanner, handle }) => {
    actor.requests[scanner] ??= await request(actor, scanner, handle);
    const id = actor.requests[scanner];
    if (!id) return;
    const { data } = await admin.call(decideAccessRequest, {
      params: { id },
      body: { status: 'approved' },
    });
    wish(own, data.chartingId as string, 'marketplace');
  },
  withdraw: async ({ actor, own, scanner }) => {
    const id = actor.requests[scanner];
    if (!id) return;
    expect(
      (await admin.call(decideAccessRequest, { params: { id }, body: { status: 'denied' } })).status,
      200,
    );
    if (own.isOfRequest) end(own);
  },
  retry: async ({ actor, id, scanner }) => {
    const row = await rowOf(actor, scanner);
    const retry = (accessId: string) => admin.attempt(retryIndicatorAccess, { params: { id, accessId } });
    if (row?.status === 'failed') expect((await retry(row.id)).status, 200, 409);
  },
  resolve: async ({ actor, id, scanner }) => {
    const row = await rowOf(actor, scanner);
    if (row?.status !== 'failed' || row.failedAction !== 'grant') return;
    byHand.add(keyOf(scanner, row.handle));
    await tools.admit(String(scanners[scanner]?.pineId), row.handle);
    const params = { id, accessId: row.id };
    expect((await admin.attempt(resolveIndicatorAccess, { params, body: {} })).status, 200, 409);
  },
  admit: async ({ actor, scanner }) => {
    if (actor.reserved === undefined) return;
    await admit(scanner, actor.reserved);
    actor.handles.push(actor.reserved);
    actor.reserved = undefined;
  },
  compare: async () => expect((await admin.call(compareIndicatorAccess)).status, 200),
  pass: async () => undefined,
};

export function act(actor: Actor, { kind, scanner, handle: place }: Command): Promise<void> {
  const handle = actor.handles[place % actor.handles.length] as string;
  const id = String(scanners[scanner]?.id);
  return DO[kind]({ actor, scanner, handle, own: actor.wishes[scanner] as Wish, id });
}

async function request({ member }: Actor, scanner: number, chartingId: string): Promise<string | undefined> {
  const productId = String(products[scanner]?.id);
  const body = { productId, fullName: 'A', email: member.email, chartingId };
  const { status, data } = await member.client.attempt(submitAccessRequest, { body });
  expect(status, 201, 401);
  return data?.id;
}

export async function newActor(number: number): Promise<Actor> {
  const member = await tools.newCustomer(admin);
  const own = (name: string) => `${name}_${number}_${member.id.slice(-6)}`;
  // The last handle is also that of another member.
  const handles = [own('first'), own('Second'), `shared_${number >> 1}_${Date.now() >> 12}`] as const;
  await admit(number % 2, handles[1]);
  if (number % 4 === 0) await admit(0, handles[2]);
  return {
    member,
    handles: [...handles],
    reserved: own('reserved'),
    wishes: scanners.map(noWish),
    requests: [undefined, undefined],
  };
}
