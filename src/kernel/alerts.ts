import type { Logger } from 'pino';
import type { Audit } from './audit.ts';
import type { Transaction } from './database/queries.ts';

interface Alert {
  /** `payment.dispute-opened`: the thing, then what happened to it. */
  action: string;
  /** The id of what it is about: a member, or an id of the external system. */
  target: string;
  details: Record<string, unknown>;
}

/** Tells operators, in the transaction of what happened, about something that a person has to look into. */
export type TellOperators = (tx: Transaction, alert: Alert) => Promise<void>;

/**
 * Writes an error to the log and an entry to the audit log, where administrators list alerts by their actor.
 * @param actor who raises the alerts, such as `service:payments`
 */
export const operatorAlerts =
  ({ audit, log, actor }: { audit: Audit; log: Logger; actor: string }): TellOperators =>
  async (tx, { action, target, details }) => {
    log.error({ alert: action, target, ...details }, `operators must look into this: ${action}`);
    await audit.record(tx, { actor, action, target, details });
  };
