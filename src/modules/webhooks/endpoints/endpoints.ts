import { randomBytes } from 'node:crypto';
import type { Core } from '../../../kernel/core.ts';
import { mapPage, type PageRequest } from '../../../kernel/database/pagination.ts';
import { failure, notFound, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type AsRead, mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import { type Actor, changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { Sealer } from '../../../kernel/secrets.ts';
import { DAY_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import { forgetDeliveries } from '../deliveries/deliveries.jobs.ts';
import type { DeliveryStore } from '../deliveries/deliveries.store.ts';
import { publicId, TEST_TYPE } from '../events/events.model.ts';
import { ALL, unknownAmong } from '../events/types.ts';
import type { AddressCheck } from './addresses.ts';
import { type Endpoint, MAX_ENDPOINTS } from './endpoints.model.ts';
import type { EndpointChanges, EndpointDraft } from './endpoints.schemas.ts';
import type { EndpointStore } from './endpoints.store.ts';

export const endpointNotFound = notFound('Webhook endpoint');
export const endpointLimit = failure(
  409,
  'WEBHOOK_ENDPOINT_LIMIT',
  `There are ${MAX_ENDPOINTS} webhook endpoints already`,
);
export const endpointDisabled = failure(409, 'WEBHOOK_ENDPOINT_DISABLED', 'The endpoint is disabled');
export const secretJustReplaced = failure(
  409,
  'WEBHOOK_SECRET_JUST_REPLACED',
  'The secret was replaced less than ten seconds ago',
);

/** How long deliveries are signed with both secrets after one was replaced. */
const OVERLAP_MS = DAY_MS;
/** How long a secret is not replaced again: two operators at once would otherwise end the one that receivers have. */
const PAUSE_MS = 10 * SECOND_MS;

interface EndpointDeps extends Pick<Core, 'database' | 'audit' | 'clock' | 'newId' | 'jobs'> {
  store: EndpointStore;
  deliveries: Pick<DeliveryStore, 'counts'>;
  sealer: Sealer;
  checkAddress: AddressCheck;
  types: string[];
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** An endpoint as administrators see it, without its secrets. */
const viewOf = (one: Endpoint) => ({
  id: one.id,
  url: one.url,
  types: one.types,
  description: one.description,
  enabled: one.enabled,
  ordered: one.ordered,
  createdAt: one.createdAt,
  updatedAt: one.updatedAt,
  lastSequence: one.lastSequence,
  failingSince: one.failingSince,
  disabledReason: one.disabledReason,
});

/** Endpoints: registering, changing and testing them, and replacing their secrets. */
export function endpointRules(deps: EndpointDeps) {
  const { store, deliveries, sealer, checkAddress, types, database, audit, clock, newId, jobs } = deps;

  /** @throws 422 */
  function checkTypes(given: string[]): void {
    const [unknown] = unknownAmong(given, types);
    if (unknown !== undefined)
      throw validationFailed([{ field: 'types', message: `there is no type ${unknown}` }]);
  }

  async function find(id: ObjectId): Promise<Endpoint> {
    const endpoint = await store.find(id);
    if (!endpoint) throw endpointNotFound();
    return endpoint;
  }

  /** Changes a locked endpoint, and records it. @throws endpointNotFound, changedMeanwhile */
  const change = (
    id: ObjectId,
    { actor, action, asRead = {} }: { actor: Actor; action: string; asRead?: AsRead },
    partsOf: (before: Endpoint) => Partial<Endpoint>,
  ): Promise<Endpoint> =>
    database.transaction(async (tx) => {
      const before = await store.lock(tx, id);
      if (!before) throw endpointNotFound();
      const given = partsOf(before);
      if (changesNothing(changesOf(before, given))) return before;
      mustBeAsRead(before, asRead);
      const changed = { ...before, ...given };
      const changes = changesOf(viewOf(before), viewOf(changed));
      // A new secret does not overwrite what somebody else is changing.
      const after = changesNothing(changes)
        ? changed
        : { ...changed, updatedAt: timeOfChange(clock, before) };
      if (changes.types) await store.keepTypes(tx, before, clock.date());
      await store.update(tx, after);
      await audit.record(tx, { ...actor, action, target: id, targetName: after.url, changes });
      return after;
    });

  return {
    find,
    pageOf: async (request: PageRequest) => mapPage(await store.pageOf(request), viewOf),
    async get(id: ObjectId) {
      const endpoint = await find(id);
      const counts = await deliveries.counts(endpoint.number);
      return { ...viewOf(endpoint), ...counts, lastDeliveredAt: endpoint.lastDeliveredAt };
    },
    /** @throws 422, endpointLimit */
    async create(draft: EndpointDraft, actor: Actor, idempotency: IdempotencyContext) {
      const chosen = [...new Set(draft.types ?? [ALL])];
      checkTypes(chosen);
      const secret = newSecret();
      const at = clock.date();
      const endpoint: Endpoint = {
        id: newId(),
        number: 0,
        url: await checkAddress(draft.url),
        types: chosen,
        description: draft.description ?? null,
        enabled: draft.enabled ?? true,
        ordered: draft.ordered ?? false,
        secret: sealer.seal(secret),
        previousSecret: null,
        previousSecretExpiresAt: null,
        lastSequence: 0,
        failingSince: null,
        disabledReason: null,
        lastDeliveredAt: null,
        createdAt: at,
        updatedAt: at,
      };
      const created = { ...viewOf(endpoint), secret };
      await database.transaction(async (tx) => {
        await tx.lock('webhooks.endpoints');
        const count = await store.count(tx);
        if (count >= MAX_ENDPOINTS) throw endpointLimit();
        await store.insert(tx, endpoint, count === 0);
        const { id, url } = endpoint;
        const action = 'webhook-endpoint.created';
        await audit.record(tx, { ...actor, action, target: id, targetName: url });
        await answered(tx, { idempotency }, created);
      });
      return created;
    },
    /** @throws 422, endpointNotFound, changedMeanwhile */
    async update(id: ObjectId, { expectedUpdatedAt, ...changes }: EndpointChanges, actor: Actor) {
      if (changes.types) checkTypes(changes.types);
      const url = changes.url === undefined ? undefined : await checkAddress(changes.url);
      const given = Object.entries({ ...changes, url }).filter(([, value]) => value !== undefined);
      return viewOf(
        await change(
          id,
          { actor, action: 'webhook-endpoint.changed', asRead: { expectedUpdatedAt } },
          ({ enabled }) => ({
            ...Object.fromEntries(given),
            ...(changes.types && { types: [...new Set(changes.types)] }),
            ...(changes.enabled && !enabled && { disabledReason: null, failingSince: null }),
          }),
        ),
      );
    },
    /** @throws endpointNotFound */
    remove: (id: ObjectId, actor: Actor): Promise<null> =>
      database.transaction(async (tx) => {
        const endpoint = await store.lock(tx, id);
        if (!endpoint) throw endpointNotFound();
        await store.delete(tx, id);
        await jobs.enqueue(tx, forgetDeliveries, [{ endpoint: endpoint.number }]);
        const { url: targetName } = endpoint;
        await audit.record(tx, { ...actor, action: 'webhook-endpoint.deleted', target: id, targetName });
        return null;
      }),
    /** @throws endpointNotFound, secretJustReplaced */
    async rotate(id: ObjectId, actor: Actor) {
      const secret = newSecret();
      const previousSecretExpiresAt = new Date(clock.now() + OVERLAP_MS);
      await change(id, { actor, action: 'webhook-endpoint.secret-rotated' }, (before) => {
        const formerExpiresMs = before.previousSecretExpiresAt?.getTime() ?? 0;
        if (previousSecretExpiresAt.getTime() - formerExpiresMs < PAUSE_MS) throw secretJustReplaced();
        return { secret: sealer.seal(secret), previousSecret: before.secret, previousSecretExpiresAt };
      });
      return { secret, previousSecretExpiresAt };
    },
    /** @throws endpointNotFound, endpointDisabled */
    test: (id: ObjectId, actor: Actor, idempotency: IdempotencyContext): Promise<{ eventId: string }> =>
      database.transaction(async (tx) => {
        const endpoint = await store.lock(tx, id);
        if (!endpoint) throw endpointNotFound();
        if (!endpoint.enabled) throw endpointDisabled();
        const eventId = newId();
        await store.appendTest(tx, endpoint, { eventId, type: TEST_TYPE, at: clock.date() });
        const { url: targetName } = endpoint;
        await audit.record(tx, { ...actor, action: 'webhook-endpoint.tested', target: id, targetName });
        return answered(tx, { idempotency }, { eventId: publicId(eventId) });
      }),
  };
}

export type EndpointRules = ReturnType<typeof endpointRules>;
