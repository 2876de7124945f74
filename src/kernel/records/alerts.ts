import type { Logger } from 'pino';
import type { Transaction } from '../database/queries.ts';
import type { Clock } from '../time/time.ts';
import type { Audit } from './audit.ts';

interface Alert {
  /** The subject, then what happened to it: `payment.dispute-opened`. */
  action: string;
  /** The id of the subject: a member, or an object of the external system. */
  target: string;
  details: Record<string, unknown>;
  /**
   * What a person must deal with: `dispute:dp_1`. The alert is listed as open until an administrator closes it. It takes
   * the place of an open one about the same, and has waited as long as that. Alerts without it are not listed, as for what
   * another list of work shows.
   */
  openUntilDealtWith?: string;
  /** What this alert has dealt with: its open alert is closed. */
  endOf?: string;
  /** Whether an alert with this action is raised only once for the subject, since another system may report it again. */
  isToldOnce?: boolean;
}

/**
 * Alerts operators to something that a person must investigate, in the transaction of the change; returns false if they were
 * told before, and are told once.
 */
export type AlertOperators = (tx: Transaction, alert: Alert) => Promise<boolean>;

interface AlertDeps {
  audit: Audit;
  log: Logger;
  clock: Clock;
  /** The actor recorded for the alerts, such as `service:payments`. */
  actor: string;
}

/** Returns alerts that write an error to the log and an entry to the audit log, and are listed while they are open. */
export const operatorAlerts =
  ({ audit, log, clock, actor }: AlertDeps): AlertOperators =>
  async (tx, { action, target, details, openUntilDealtWith: subject, endOf, isToldOnce = false }) => {
    if (isToldOnce && subject !== undefined && (await isKnown(tx, { action, target, subject }))) return false;
    log.error({ alert: action, target, ...details }, `operators must investigate: ${action}`);
    const id = await audit.record(tx, { actor, action, target, details });
    const at = clock.date();
    const ended = subject ?? endOf;
    const since = ended === undefined ? undefined : await endAlert(tx, ended, { by: actor, at });
    if (subject !== undefined)
      await tx.insert('kernel.alert', {
        id,
        subject,
        target,
        raisedAt: since ?? at,
      });
    return true;
  };

/** Whether an alert was raised before, open or not. Until the transaction ends, no other one about the subject is raised. */
async function isKnown(
  tx: Transaction,
  { action, target, subject }: { action: string; target: string; subject: string },
): Promise<boolean> {
  await tx.lock('kernel.alert', subject);
  const known = await tx.first(
    `select from kernel.alert join kernel.audit_entry using (id)
     where alert.target = $1 and subject = $2 and action = $3`,
    [target, subject, action],
  );
  return known !== undefined;
}

/**
 * Whether a person has closed an alert about a subject, and has probably done what it said. Until the transaction ends, no
 * other one about the subject is raised.
 */
export async function wasDealtWith(
  tx: Transaction,
  { target, subject }: { target: string; subject: string },
): Promise<boolean> {
  await tx.lock('kernel.alert', subject);
  const closed = await tx.first(
    `select from kernel.alert where target = $1 and subject = $2 and not starts_with(closed_by, 'service:') limit 1`,
    [target, subject],
  );
  return closed !== undefined;
}

/** Returns the details of the open alert about a subject. Until the transaction ends, no other one is raised. */
export async function openAlertOf(
  tx: Transaction,
  subject: string,
): Promise<Record<string, unknown> | undefined> {
  await tx.lock('kernel.alert', subject);
  const open = await tx.first<{ details: Record<string, unknown> }>(
    'select details from kernel.alert join kernel.audit_entry using (id) where subject = $1 and closed_at is null',
    [subject],
  );
  return open?.details;
}

/** Closes the open alerts about a target whose subjects begin with a text; their raising must be locked out otherwise. */
export async function endAlertsAbout(
  tx: Transaction,
  { target, prefix }: { target: string; prefix: string },
  { by, at }: { by: string; at: Date },
): Promise<void> {
  await tx.execute(
    `update kernel.alert set closed_at = greatest(raised_at, $4), closed_by = $3
     where target = $1 and starts_with(subject, $2) and closed_at is null`,
    [target, prefix, by, at],
  );
}

/**
 * Closes the open alert about a subject, if there is one; returns since when somebody should have dealt with the subject.
 * Until the transaction ends, no other alert about it is raised.
 */
export async function endAlert(
  tx: Transaction,
  subject: string,
  { by, at }: { by: string; at: Date },
): Promise<Date | undefined> {
  await tx.lock('kernel.alert', subject);
  const closed = await tx.first<{ raisedAt: Date }>(
    `update kernel.alert set closed_at = greatest(raised_at, $3), closed_by = $2
     where subject = $1 and closed_at is null returning raised_at`,
    [subject, by, at],
  );
  return closed?.raisedAt;
}
