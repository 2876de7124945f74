import { isDeepStrictEqual } from 'node:util';
import { columnsOf } from '../database/chunks.ts';
import type { Database } from '../database/database.ts';
import { boundedTotal, MOST_COUNTED, offsetOf, type Page, type PageRequest } from '../database/pagination.ts';
import { statement, type Transaction } from '../database/queries.ts';
import { notFound } from '../failures.ts';
import type { NewId, ObjectId } from '../ids.ts';
import type { Clock } from '../time/time.ts';
import {
  containing,
  ERASED,
  type ErasePerson,
  namingOf,
  type Person,
  withoutNames,
  withoutPerson,
} from './erasure.ts';

/** The user or service that acts; services are named `service:internal`, `cli` and so on. */
export interface Actor {
  actor: string;
  actorEmail?: string;
  requestId?: string;
  /** Why they act. */
  reason?: string | undefined;
}

interface AuditEntry extends Actor {
  /** The subject, then what happened to it: `wallet.funded`, `api-key.revoked`. */
  action: string;
  /** The id of the object of the action. */
  target?: string;
  /** The name of the object; the log looks up the names of users itself. */
  targetName?: string;
  /** The values of changed fields before and after; see {@link changesOf}. */
  changes?: Changes;
  details?: Record<string, unknown>;
}

export type Changes = Record<string, [before: unknown, after: unknown]>;

/** Returns the fields of `after` whose values differ from those before. */
export function changesOf(before: object, after: object): Changes {
  const known = before as Record<string, unknown>;
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(known[name] ?? null, value),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, [known[name] ?? null, value]]));
}

/** Whether a save changes nothing, so that it is neither written nor recorded, and nobody is told of it. */
export const changesNothing = (changes: Changes): boolean => Object.keys(changes).length === 0;

/** An audit entry as administrators read it. */
export interface AuditRecord {
  id: string;
  actor: string;
  actorEmail: string | null;
  action: string;
  target: string | null;
  targetName: string | null;
  reason: string | null;
  changes: Changes | null;
  details: Record<string, unknown>;
  requestId: string | null;
  createdAt: Date;
}

export interface AuditFilter {
  actor?: string;
  action?: string;
  target?: string;
  /** Finds entries whose target it is, and those whose details name it. */
  transactionId?: string;
  from?: Date;
  to?: Date;
}

/** The append-only record of administrative actions. An entry commits with the change that it records. */
export interface Audit {
  /** Returns the id of the entry. */
  record(tx: Transaction, entry: AuditEntry): Promise<ObjectId>;
  /**
   * Records what somebody may do again and again, such as reading, unless the log has the same action of the same actor on
   * the same target within the last `withinMs`.
   */
  recordOnce(tx: Transaction, entry: AuditEntry & { target: string }, withinMs: number): Promise<void>;
  /** Returns entries, newest first. @throws auditEntryNotFound if the page begins after an unknown one */
  pageOf(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>>;
  /** Returns entries after one, newest first, or from the newest on. */
  readAfter(filter: AuditFilter, after: AuditRecord | undefined, limit: number): Promise<AuditRecord[]>;
  /** Returns the actions that have been recorded, in alphabetical order. */
  actions(): Promise<string[]>;
  /** Replaces the personal data of a deleted member; the action, actor and time remain. */
  erase: ErasePerson;
}

/** Entries read by one statement of an erasure. */
const READ_AT_ONCE = 5_000;

const COLUMNS =
  'id, actor, actor_email, action, target, target_name, reason, changes, details, request_id, created_at';
const ONE = `select ${COLUMNS} from kernel.audit_entry where id = $1`;
/** Two branches, each in the order of an index: as one condition, all entries would be looked through for it. */
const OF_TRANSACTION = `(select * from kernel.audit_entry where target = $6
  union all select * from kernel.audit_entry
  where details ->> 'transactionId' = $6 and target is distinct from $6) as entry`;
const matching = ({ transactionId }: AuditFilter): string =>
  `from ${transactionId === undefined ? 'kernel.audit_entry' : OF_TRANSACTION}
   where ($1::text is null or actor = $1) and ($2::text is null or action = $2)
     and ($3::text is null or target = $3) and ($4::timestamptz is null or created_at >= $4)
     and ($5::timestamptz is null or created_at <= $5)`;
const valuesOf = ({ actor, action, target, transactionId, from, to }: AuditFilter): unknown[] => [
  actor ?? null,
  action ?? null,
  target ?? null,
  from ?? null,
  to ?? null,
  ...(transactionId === undefined ? [] : [transactionId]),
];

export const auditEntryNotFound = notFound('Audit entry');

type Erasable = Omit<AuditRecord, 'action' | 'requestId'>;

const erasable = statement<Erasable & { isAbout: boolean }>(
  'kernel.audit-to-erase',
  `select id, actor, actor_email as "actorEmail", target, target_name as "targetName", reason, changes, details,
     (actor = $3 or target = $3 or (actor_email = any($5) and created_at <= $7)
       or (concat(reason, ' ', changes::text, ' ', details::text) ilike any($4)
         and concat(reason, ' ', changes::text, ' ', details::text) ~* $6
         and (created_at <= $7 or concat(changes::text, ' ', details::text) like $8))) as "isAbout",
     created_at as "createdAt"
   from kernel.audit_entry where id > $1 order by id limit $2`,
);
/** Served by audit_entry_by_target. */
const known = statement<{ id: string }>(
  'kernel.audit-known',
  `select id from kernel.audit_entry where target = $1 and actor = $2 and action = $3 and created_at > $4 limit 1`,
);
const replaceNames = statement<never>(
  'kernel.erase-audit',
  `update kernel.audit_entry e
   set actor_email = n.actor_email, target_name = n.target_name, reason = n.reason, changes = n.changes,
     details = n.details
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::jsonb[])
     as n (id, actor_email, target_name, reason, changes, details)
   where e.id = n.id and (e.actor_email, e.target_name, e.reason, e.changes, e.details)
     is distinct from (n.actor_email, n.target_name, n.reason, n.changes, n.details)`,
);

/** Returns an entry without the personal data of the person. */
function anonymized(entry: Erasable, person: Person) {
  const { id, actor, actorEmail, target, targetName, reason, changes, details, createdAt } = entry;
  const { userId, emails } = person;
  const isByPerson = actor === userId || (actorEmail !== null && emails.includes(actorEmail));
  const about = { writtenAt: createdAt, isOwn: target === userId || details.userId === userId };
  return {
    id,
    actorEmail: isByPerson && actorEmail !== null ? ERASED : actorEmail,
    targetName: targetName && withoutNames(targetName, person, createdAt),
    reason: reason && withoutNames(reason, person, createdAt),
    changes: changes && JSON.stringify(withoutPerson(changes, person, about)),
    details: JSON.stringify(withoutPerson(details, person, about)),
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
  const readAfter = (filter: AuditFilter, after: AuditRecord | undefined, limit: number, offset = 0) => {
    const given = valuesOf(filter);
    const next = given.length + 1;
    const place = after ? `and (created_at, id) < ($${next}::timestamptz, $${next + 1})` : '';
    const values = after ? [...given, after.createdAt, after.id] : given;
    return database.all<AuditRecord>(
      `select ${COLUMNS} ${matching(filter)} ${place}
       order by created_at desc, id desc limit ${limit} offset ${offset}`,
      values,
    );
  };

  const record: Audit['record'] = async (tx, { details = {}, changes, ...entry }) => {
    const { actor, actorEmail, action, target, targetName, reason, requestId } = entry;
    const id = newId();
    await tx.insert('kernel.audit_entry', {
      id,
      actor,
      actorEmail,
      action,
      target,
      targetName,
      reason,
      changes: changes && JSON.stringify(changes),
      details: JSON.stringify(details),
      requestId,
      createdAt: clock.date(),
    });
    return id;
  };

  return {
    record,
    async recordOnce(tx, entry, withinMs) {
      const { actor, action, target } = entry;
      await tx.lock('kernel.audit-once', `${action} ${actor} ${target}`);
      const since = new Date(clock.now() - withinMs);
      if (!(await tx.first(known, [target, actor, action, since]))) await record(tx, entry);
    },
    async pageOf(filter, { before, ...page }) {
      const counted = await database.count(
        `select count(*) from (select ${matching(filter)} limit ${MOST_COUNTED + 1}) counted`,
        valuesOf(filter),
      );
      const after = before === undefined ? undefined : await database.first<AuditRecord>(ONE, [before]);
      if (before !== undefined && !after) throw auditEntryNotFound();
      const items = await readAfter(filter, after, page.limit, offsetOf(page));
      return { ...page, items, ...boundedTotal(counted) };
    },
    readAfter: (filter, after, limit) => readAfter(filter, after, limit),
    async actions() {
      const rows = await database.all<{ action: string }>(
        `with recursive known (action) as (
           (select action from kernel.audit_entry order by action limit 1)
           union all
           select (select e.action from kernel.audit_entry e where e.action > known.action order by e.action limit 1)
           from known where known.action is not null)
         select action from known where action is not null`,
      );
      return rows.map(({ action }) => action);
    },
    async erase(person) {
      const { userId, emails } = person;
      const { patterns, expression } = namingOf(person);
      let after = '';
      for (;;) {
        const byAddress = [patterns, emails, expression, person.emailsUntil, containing(userId)];
        const values = [after, READ_AT_ONCE, userId, ...byAddress];
        const read = await database.all(erasable, values);
        const entries = read.filter(({ isAbout }) => isAbout).map((entry) => anonymized(entry, person));
        if (entries.length > 0)
          await database.transaction(async (tx) => {
            await tx.all(`select set_config('kernel.erasing', 'on', true)`);
            await tx.execute(
              replaceNames,
              columnsOf(entries, 'id', 'actorEmail', 'targetName', 'reason', 'changes', 'details'),
            );
          });
        if (read.length < READ_AT_ONCE) return;
        after = read.at(-1)?.id as string;
      }
    },
  };
}
