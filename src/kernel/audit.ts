import type { Transaction } from './database/queries.ts';
import type { NewId } from './ids.ts';
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

/** The append-only record of administrative actions; an entry commits with the change it tells of. */
export interface Audit {
  record(tx: Transaction, entry: AuditEntry): Promise<void>;
}

export function auditLog({ clock, newId }: { clock: Clock; newId: NewId }): Audit {
  return {
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
