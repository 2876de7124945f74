import type { Database } from './database/database.ts';
import type { Transaction } from './database/queries.ts';
import type { NewId } from './ids.ts';
import { type Page, type PageRequest, readPage } from './pagination.ts';
import type { Clock } from './time.ts';

/** The user or service that acts; services are named `service:internal`, `cli` and so on. */
export interface Actor {
  actor: string;
  actorEmail?: string;
  requestId?: string;
}

interface AuditEntry extends Actor {
  /** The subject, then what happened to it: `wallet.funded`, `api-key.revoked`. */
  action: string;
  /** The id of the object of the action. */
  target?: string;
  details?: Record<string, unknown>;
}

/** An audit entry as administrators read it. */
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

/** The append-only record of administrative actions. An entry commits with the change that it records. */
export interface Audit {
  record(tx: Transaction, entry: AuditEntry): Promise<void>;
  /** Returns entries, newest first. */
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
    pageOf: ({ actor, action, target, from, to }, page) =>
      readPage(
        database,
        {
          columns: 'id, actor, actor_email, action, target, details, request_id, created_at',
          from: `kernel.audit_entry where ($1::text is null or actor = $1) and ($2::text is null or action = $2)
            and ($3::text is null or target = $3) and ($4::timestamptz is null or created_at >= $4)
            and ($5::timestamptz is null or created_at <= $5)`,
          orderBy: 'created_at desc, id desc',
        },
        [actor ?? null, action ?? null, target ?? null, from ?? null, to ?? null],
        page,
      ),
    record: async (tx, { actor, actorEmail, action, target, details = {}, requestId }) => {
      await tx.execute(
        `insert into kernel.audit_entry (id, actor, actor_email, action, target, details, request_id, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          newId(),
          actor,
          actorEmail ?? null,
          action,
          target ?? null,
          JSON.stringify(details),
          requestId ?? null,
          new Date(clock.now()),
        ],
      );
    },
  };
}
