import type { Failure } from '../../src/kernel/failures.ts';
import type { Grant } from '../../src/modules/indicators/access/access.model.ts';
import { accessWebhook } from '../../src/modules/indicators/webhooks/access-webhook.ts';
import { activityWebhook } from '../../src/modules/indicators/webhooks/activity-webhook.ts';
import { receiving } from '../../src/modules/indicators/webhooks/receiving.ts';
import { AT } from './grants.ts';

export const [ADA, BEN] = ['a'.repeat(24), 'b'.repeat(24)] as const;
const ADA_CONTACT = { userId: ADA, email: 'ada@example.com' };
export type Body = Record<string, unknown>;

const codeOf = (work: Promise<unknown>) =>
  work.then(
    (result) => result as Record<string, unknown>,
    ({ status, code, message }: Failure) => (code ? `${status} ${code}` : message),
  );

export interface State {
  grants?: Grant[];
  /** The grants that a change starts or halts. */
  changed?: Grant[];
  holder?: { savedHandle?: string; requestHandle?: string } | undefined;
  newest?: Date | null;
  answer?: object | undefined;
  isUnknown?: boolean;
  isErased?: boolean;
}

/** The rules of the backoffice's webhooks, without a platform around them, and what they have done. */
export function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const grants = state.grants ?? [];
  const tx = { lock: async (...what: string[]) => void done.push(['lock', ...what]) };
  const store = {
    lockMember: async (_tx: unknown, userId: string) => void done.push(['member', userId]),
    lockOfMember: async () => grants,
  } as never;
  const catalogue = {
    scripts: async () => [{ id: 'i1' }, { id: 'i2' }],
    namesOf: async (_tx: unknown, ids: string[]) =>
      ids.filter((id) => id !== 'gone').map((id) => ({ id, name: `Name ${id}` })),
  } as never;
  const changes = {
    grant: async (
      _tx: unknown,
      userId: string,
      { indicators, wish }: { indicators: object[]; wish: object },
    ) => {
      done.push(['grant', userId, indicators.length, wish]);
      return { grants, changed: state.changed ?? [] };
    },
    changeAll: async (_tx: unknown, userId: string, change: (grant: Grant, at: Date) => Grant) => {
      const after = grants.map((grant) => change(grant, AT));
      done.push(['change', userId, ...after.map(({ status, graceEndsAt }) => [status, graceEndsAt])]);
      return { grants: after, changed: state.changed ?? [] };
    },
  } as never;
  const received = receiving({
    store,
    holders: { isErased: async () => state.isErased ?? false },
    webhookEvents: {
      answerOf: async () => state.answer,
      newestOf: async () => state.newest ?? null,
      noteOccurred: async (_tx: unknown, userId: string, kind: string, at: Date) =>
        done.push(['occurred', userId, kind, at]),
      keepAnswer: async (_tx: unknown, { kind, eventId }: Record<string, unknown>) =>
        done.push(['keep', kind, eventId]),
    } as never,
    catalogue,
    database: { transaction: async (work: (tx: unknown) => unknown) => work(tx) } as never,
    audit: {
      record: async (_tx: unknown, { action, target, details }: Record<string, unknown>) =>
        done.push(['audit', action, target, details]),
    } as never,
    clock: { now: () => AT.getTime(), date: () => AT } as never,
  });
  const access = accessWebhook({
    receiving: received,
    changes,
    store,
    holders: { find: async () => state.holder } as never,
    catalogue,
    identity: { contactByCustomerId: async () => (state.isUnknown ? undefined : ADA_CONTACT) } as never,
  });
  const activity = activityWebhook({
    receiving: received,
    changes,
    identity: {
      contactByEmail: async (email: string) => (email === ADA_CONTACT.email ? ADA_CONTACT : undefined),
      contactsOf: async ([id]: string[]) => (id === ADA ? [ADA_CONTACT] : []),
    } as never,
    events: {
      publish: async (_tx: unknown, { name }: { name: string }, data: object) =>
        done.push(['publish', name, data]),
    } as never,
    clock: { now: () => AT.getTime(), date: () => AT } as never,
    settings: { graceDays: 3 },
  });
  return {
    done,
    access: (body: Body) => codeOf(access.receive(body)),
    activity: (body: Body) => codeOf(activity.receive(body)),
  };
}
