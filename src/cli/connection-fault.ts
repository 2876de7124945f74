import { poolerRefusal } from '../kernel/database/poolers.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { isOutage } from '../kernel/outages.ts';

/** A configured system is unreachable; the message names the settings to check. */
export class ConnectionFault extends OperatorFault {
  override readonly name = 'ConnectionFault';
}

const NETWORK = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
/** PostgreSQL's codes for a wrong password, a missing user or database, and too many connections. */
const REFUSED = ['28P01', '28000', '3D000', '53300'];

/** Codes of Node for certificates that it does not accept, and for TLS that fails. */
const TLS =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
/** Messages of the driver, which have no code. */
const NO_TLS = /does not support SSL connections|error establishing an SSL connection/;
/** PostgreSQL's codes for a disk that is full, broken or cannot be read. */
const DISK = ['53100', '58030'];

const READ_ONLY = '25006';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Translates an error of a connection, or of missing rights, for operators; returns undefined for other errors. */
export function connectionFault(error: unknown): ConnectionFault | undefined {
  // Node tries every address of a host and throws all their errors.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message, syscall } = (first ?? {}) as { code?: string; message?: string; syscall?: string };
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
  if (code !== undefined && [...NETWORK, ...REFUSED].includes(code))
    return new ConnectionFault(`Cannot connect: ${message}. Check DATABASE_URL and REDIS_URL.`);
  if (TLS.test(code ?? '') || NO_TLS.test(message ?? ''))
    return new ConnectionFault(
      `Cannot connect by TLS: ${message}. Check sslmode and sslrootcert of DATABASE_URL, and the certificate of the server.`,
    );
  if (code !== undefined && DISK.includes(code))
    return new ConnectionFault(
      `The disk of PostgreSQL is full or broken: ${message}. Repair that, and try again.`,
    );
  // A file that is missing has the code of a missing socket.
  if (!isOutage(first) || (code === 'ENOENT' && syscall !== 'connect')) return undefined;
  return new ConnectionFault(
    `The server of DATABASE_URL does not answer as PostgreSQL should: ${message}. Check whether it runs, and its address and port.`,
  );
}
