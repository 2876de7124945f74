import { type ObjectStorage, storageNotConfigured } from '../../external/storage/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Failure, failure, notFound, tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { invalidToken } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { hasSteppedUp, stepUpRequired } from '../../kernel/operations/step-up.ts';
import type { Actor } from '../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../kernel/records/idempotency.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { type Identity, userNotFound } from '../identity/contract.ts';
import { makeExport } from './exports.jobs.ts';
import { type DataExport, type ExportStatus, fileOf } from './exports.model.ts';
import type { ExportStore } from './exports.store.ts';

/** How long a member waits from one export to the next. */
const PAUSE_MS = DAY_MS;

export const exportPending = failure(409, 'EXPORT_PENDING', 'An export of your data is being made');
export const exportNotFound = notFound('Export');
export const tooManyExports = (retryAfterSeconds: number): Failure =>
  tooManyRequests('EXPORT_LIMIT_EXCEEDED', retryAfterSeconds);

interface ExportDeps extends Pick<Core, 'database' | 'jobs' | 'audit' | 'clock' | 'newId'> {
  store: ExportStore;
  /** Undefined when none is configured; then nothing can be exported. */
  storage: ObjectStorage | undefined;
  identity: Pick<Identity, 'keep' | 'stepUp'>;
}

/** An export as it is shown. */
interface ShownExport {
  id: ObjectId;
  status: ExportStatus;
  createdAt: Date;
  readyAt: Date | null;
  expiresAt: Date | null;
  /** The signed link, while there is a file. */
  url: string | null;
}

/** Exports of a member's data. */
export function exportRules(deps: ExportDeps) {
  const { database, jobs, audit, clock, newId, store, storage, identity } = deps;

  function mustHaveStorage(): ObjectStorage {
    if (!storage) throw storageNotConfigured();
    return storage;
  }

  /** Enqueues an export; the member must be kept from deletion. */
  async function begin(tx: Transaction, userId: ObjectId, isOwn: boolean, idempotency: IdempotencyContext) {
    const one: DataExport = {
      id: newId(),
      userId,
      isOwn,
      status: 'pending',
      createdAt: clock.date(),
      readyAt: null,
      expiresAt: null,
    };
    await store.insert(tx, one);
    await jobs.enqueue(tx, makeExport, [{ exportId: one.id }]);
    const begun = { id: one.id, status: 'pending' as const };
    return answered(tx, { idempotency }, begun);
  }

  /** @throws exportPending, tooManyExports */
  async function mustBeAllowed(tx: Transaction, userId: ObjectId): Promise<void> {
    const nowMs = clock.now();
    const hindering = await store.hinderingOf(tx, userId, new Date(nowMs - PAUSE_MS));
    if (!hindering) return;
    if (hindering.status === 'pending') throw exportPending();
    const waitMs = hindering.createdAt.getTime() + PAUSE_MS - nowMs;
    throw tooManyExports(Math.max(1, Math.ceil(waitMs / SECOND_MS)));
  }

  async function shown(one: DataExport | undefined, caller: UserCaller): Promise<ShownExport> {
    if (!one) throw exportNotFound();
    const { id, createdAt, readyAt, expiresAt } = one;
    const state = { id, createdAt, readyAt, expiresAt, status: one.status, url: null };
    if (!expiresAt) return state;
    const expiresInSeconds = Math.floor((expiresAt.getTime() - clock.now()) / SECOND_MS);
    if (expiresInSeconds < 1) return { ...state, status: 'expired' };
    if (!hasSteppedUp(caller)) throw stepUpRequired();
    const fileName = `export-${createdAt.toISOString().slice(0, 10)}.zip`;
    const url = await mustHaveStorage().presignDownload({ key: fileOf(one), expiresInSeconds, fileName });
    return { ...state, url };
  }

  return {
    /** Begins an export of the caller's own data. @throws storageNotConfigured, stepUpRequired, exportPending, tooManyExports */
    beginOwn: (caller: UserCaller, idempotency: IdempotencyContext) =>
      database.transaction(async (tx) => {
        mustHaveStorage();
        const { userId } = caller;
        // Two requests at once are judged one after the other.
        await tx.lock('exports.begin', userId);
        if (!(await identity.keep(tx, userId))) throw invalidToken();
        await identity.stepUp.mustHaveSteppedUp(tx, caller);
        await mustBeAllowed(tx, userId);
        return begin(tx, userId, true, idempotency);
      }),

    /**
     * Begins an export for a member on behalf of an administrator, regardless of the exports that the member has
     * begun.
     * @throws storageNotConfigured, stepUpRequired, userNotFound
     */
    beginFor: (
      userId: ObjectId,
      { caller, actor, idempotency }: { caller: UserCaller; actor: Actor; idempotency: IdempotencyContext },
    ) =>
      database.transaction(async (tx) => {
        mustHaveStorage();
        if (!(await identity.keep(tx, userId))) throw userNotFound();
        await identity.stepUp.mustHaveSteppedUp(tx, caller);
        const begun = await begin(tx, userId, false, idempotency);
        await audit.record(tx, {
          ...actor,
          action: 'user.data-exported',
          target: userId,
          details: { exportId: begun.id },
        });
        return begun;
      }),

    /**
     * Returns the newest export of a member, including those that administrators began, with a link while there is a file.
     * @throws exportNotFound; stepUpRequired where there is a link that the caller has not confirmed for
     */
    newestOf: async (userId: ObjectId, caller: UserCaller): Promise<ShownExport> =>
      shown(await store.newestOf(userId), caller),
    /**
     * Returns the caller's newest export. One that an administrator began hides no other before it has a file.
     * @throws exportNotFound, stepUpRequired as above
     */
    newestOwn: async (caller: UserCaller): Promise<ShownExport> =>
      shown(await store.newestForMember(caller.userId, clock.date()), caller),
  };
}

export type ExportRules = ReturnType<typeof exportRules>;
