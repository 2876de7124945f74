import { poolerRefusal } from '../kernel/database/poolers.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** A configured system is unreachable; the message names the settings to check. */
export class ConnectionFault extends OperatorFault {
  override readonly name = 'ConnectionFault';
}

const NETWORK = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
/** PostgreSQL's codes for a wrong password, a missing user or database, and too many connections. */
const REFUSED = ['28P01', '28000', '3D000', '53300'];

const READ_ONLY = '25006';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Translates an error of a connection, or of missing rights, for operators; returns undefined for other errors. */
export function connectionFault(error: unknown): ConnectionFault | undefined {
  // Node tries every address of a host and throws all their errors.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = (first ?? {}) as { code?: string; message?: string };
  const refusal = poolerRefusal(message);
  if (refusal) return new ConnectionFault(refusal);
  if (code === READ_ONLY)
    return new ConnectionFault(
      `The database of DATABASE_URL accepts no writes: ${message}. It is a read replica, or read-only by a setting.`,
    );
  if (code === INSUFFICIENT_PRIVILEGE)
    return new ConnectionFault(
      `The user of DATABASE_URL lacks a right: ${message}. It must be able to read and write all tables.`,
    );
  if (code === undefined || ![...NETWORK, ...REFUSED].includes(code)) return undefined;
  return new ConnectionFault(`Cannot connect: ${message}. Check DATABASE_URL and REDIS_URL.`);
}
