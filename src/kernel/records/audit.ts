import { columnsOf } from '../database/chunks.ts';
import type { Database } from '../database/database.ts';
import { type Page, type PageRequest, readPage } from '../database/pagination.ts';
import { statement, type Transaction } from '../database/queries.ts';
import type { NewId } from '../ids.ts';
import type { Clock } from '../time/time.ts';
import { ERASED, type ErasePerson, type Person, patternsOf, withoutPerson } from './erasure.ts';

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
  /** Replaces the personal data of a deleted member; the action, actor and time remain. */
  erase: ErasePerson;
}

/** Entries read by one statement of an erasure. */
const READ_AT_ONCE = 5_000;

type Erasable = Pick<AuditRecord, 'id' | 'actor' | 'actorEmail' | 'target' | 'details'>;

const erasable = statement<Erasable & { isAbout: boolean }>(
  'kernel.audit-to-erase',
  `select id, actor, actor_email as "actorEmail", target, details,
     (actor = $3 or target = $3 or actor_email = any($5) or details::text ilike any($4)) as "isAbout"
   from kernel.audit_entry where id > $1 order by id limit $2`,
);
const replaceNames = statement<never>(
  'kernel.erase-audit',
  `update kernel.audit_entry e set actor_email = n.actor_email, details = n.details
   from unnest($1::text[], $2::text[], $3::jsonb[]) as n (id, actor_email, details)
   where e.id = n.id and (e.actor_email is distinct from n.actor_email or e.details <> n.details)`,
);

/** Returns an entry without the personal data of the person. */
function nameless({ id, actor, actorEmail, target, details }: Erasable, person: Person) {
  const { userId, emails } = person;
  const isTheirs = actor === userId || (actorEmail !== null && emails.includes(actorEmail));
  const isOwn = target === userId || details.userId === userId;
  return {
    id,
    actorEmail: isTheirs && actorEmail !== null ? ERASED : actorEmail,
    details: JSON.stringify(withoutPerson(details, person, isOwn)),
  };
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
    async erase(person) {
      const { userId, emails } = person;
      let after = '';
      for (;;) {
        const values = [after, READ_AT_ONCE, userId, patternsOf(person), emails];
        const read = await database.all(erasable, values);
        const entries = read.filter(({ isAbout }) => isAbout).map((entry) => nameless(entry, person));
        if (entries.length > 0)
          await database.transaction(async (tx) => {
            await tx.all(`select set_config('kernel.erasing', 'on', true)`);
            await tx.execute(replaceNames, columnsOf(entries, 'id', 'actorEmail', 'details'));
          });
        if (read.length < READ_AT_ONCE) return;
        after = read.at(-1)?.id as string;
      }
    },
    record: async (tx, { actor, actorEmail, action, target, details = {}, requestId }) => {
      await tx.insert('kernel.audit_entry', {
        id: newId(),
        actor,
        actorEmail,
        action,
        target,
        details: JSON.stringify(details),
        requestId,
        createdAt: clock.date(),
      });
    },
  };
}
