import type { Database } from './database/database.ts';
import type { Transaction } from './database/queries.ts';
import type { NewId } from './ids.ts';
import { mapPage, type Page, type PageRequest, readPage } from './pagination.ts';
import type { Clock } from './time.ts';

/** Who acts: a user, or a service such as `service:internal` or `cli`. */
export interface Actor {
  actor: string;
  actorEmail?: string;
  requestId?: string;
}

interface AuditEntry extends Actor {
  /** `wallet.funded`, `api-key.revoked`: the thing, then what happened to it. */
  action: string;
  /** The id of what was acted on. */
  target?: string;
  details?: Record<string, unknown>;
}

interface AuditTables {
  'kernel.audit_entry': {
    id: string;
    actor: string;
    actor_email: string | null;
    action: string;
    target: string | null;
    details: string;
    request_id: string | null;
    created_at: Date;
  };
}

/** An entry as administrators read it. */
interface AuditRecord {
  id: string;
  actor: string;
  actorEmail: string | null;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  requestId: string | null;
  createdAt: Date;
}

interface AuditFilter {
  actor?: string;
  action?: string;
  target?: string;
  from?: Date;
  to?: Date;
}

/** The append-only record of administrative actions; an entry commits with the change it tells of. */
export interface Audit {
  record(tx: Transaction, entry: AuditEntry): Promise<void>;
  /** Newest first. */
  pageOf(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>>;
}

export function auditLog({
  database,
  clock,
  newId,
}: {
  database: Database;
  clock: Clock;
  newId: NewId;
}): Audit {
  return {
    pageOf: async ({ actor, action, target, from, to }, page) => {
      const read = await readPage(
        database
          .tables<AuditTables>()
          .selectFrom('kernel.audit_entry')
          .select(['id', 'actor', 'actor_email as actorEmail', 'action', 'target', 'details'])
          .select(['request_id as requestId', 'created_at as createdAt'])
          .$if(actor !== undefined, (query) => query.where('actor', '=', actor as string))
          .$if(action !== undefined, (query) => query.where('action', '=', action as string))
          .$if(target !== undefined, (query) => query.where('target', '=', target as string))
          .$if(from !== undefined, (query) => query.where('created_at', '>=', from as Date))
          .$if(to !== undefined, (query) => query.where('created_at', '<=', to as Date))
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc'),
        page,
      );
      return mapPage(read, (row) => row as unknown as AuditRecord);
    },
    record: async (tx, { actor, actorEmail, action, target, details = {}, requestId }) => {
      await tx
        .tables<AuditTables>()
        .insertInto('kernel.audit_entry')
        .values({
          id: newId(),
          actor,
          actor_email: actorEmail ?? null,
          action,
          target: target ?? null,
          details: JSON.stringify(details),
          request_id: requestId ?? null,
          created_at: new Date(clock.now()),
        })
        .execute();
    },
  };
}
