/** A system that the settings name cannot be connected to; the message says which settings to look at. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
}

const NETWORK = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
/** PostgreSQL's: a wrong password, a user or a database that is not there, and too many connections. */
const REFUSED = ['28P01', '28000', '3D000', '53300'];

/** What an error of connecting means to an operator; undefined where it means nothing of the kind. */
export function connectionFault(error: unknown): ConnectionFault | undefined {
  // Node tries every address of a host, and throws what each of them said.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = (first ?? {}) as { code?: string; message?: string };
  if (code === undefined || ![...NETWORK, ...REFUSED].includes(code)) return undefined;
  return new ConnectionFault(`Cannot connect: ${message}. Look at DATABASE_URL and REDIS_URL.`);
}
