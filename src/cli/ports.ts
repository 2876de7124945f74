import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, monitoringPortOf, servesClients } from '../app/config.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** A port is unavailable; the message says what to change. */
export class PortFault extends OperatorFault {
  override readonly name = 'PortFault';
}

/**
 * Checks, before anything is started, that the configured ports are available.
 * @throws PortFault
 */
export async function checkPorts(config: Config): Promise<void> {
  const { host, port, role, metricsPort } = config;
  const ports = [
    ...(servesClients(role) ? [{ variable: 'PORT', port }] : []),
    { variable: metricsPort === undefined ? 'PORT' : 'METRICS_PORT', port: monitoringPortOf(config) ?? 0 },
  ];
  for (const { variable, port } of ports) if (port !== 0) await probe(host, port, variable);
}

async function probe(host: string, port: number, variable: string): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw portFault(error, variable) ?? error;
  }
  server.close();
  await once(server, 'close');
}

/** Translates an error of `listen` for operators; returns undefined for other errors. */
export function portFault(error: unknown, variable = 'PORT'): PortFault | undefined {
  const { code, port, address, hostname } = error as {
    code?: string;
    port?: number;
    address?: string;
    hostname?: string;
  };
  if (code === 'EADDRINUSE') {
    return new PortFault(`Port ${port} is taken: set ${variable} to another, or to 0 for any.`);
  }
  if (code === 'EACCES' && port) {
    return new PortFault(
      `Port ${port} requires more privileges than this user has: set ${variable} to 1024 or above.`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new PortFault(`HOST=${address ?? hostname ?? ''} is not an address of this machine.`);
  }
  return undefined;
}
