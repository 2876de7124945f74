import type { Logger } from 'pino';
import type { Transaction } from '../database/queries.ts';
import type { Audit } from './audit.ts';

interface Alert {
  /** The subject, then what happened to it: `payment.dispute-opened`. */
  action: string;
  /** The id of the subject: a member, or an object of the external system. */
  target: string;
  details: Record<string, unknown>;
}

/** Alerts operators to something that a person must investigate, in the transaction of the change. */
export type AlertOperators = (tx: Transaction, alert: Alert) => Promise<void>;

/**
 * Writes an error to the log and an entry to the audit log, where administrators find alerts by their actor.
 * @param actor the actor recorded for the alerts, such as `service:payments`
 */
export const operatorAlerts =
  ({ audit, log, actor }: { audit: Audit; log: Logger; actor: string }): AlertOperators =>
  async (tx, { action, target, details }) => {
    log.error({ alert: action, target, ...details }, `operators must investigate: ${action}`);
    await audit.record(tx, { actor, action, target, details });
  };
