import { shared } from '../../kernel/concurrency/lazy.ts';
import type { Page } from '../http/pages.ts';

/** The health of the process. */
export interface Health {
  isReady: () => Promise<boolean>;
  /** Returns the optional dependencies that are currently unavailable. */
  degraded: () => string[];
  /** Returns how the schema of the database compares with that of this program; undefined while it is unknown. */
  schema?: () => Promise<string | undefined>;
}

/**
 * Returns the response of `/health/ready`: whether the process is ready, which optional dependencies are unavailable,
 * and whether the schema of the database differs from that of this program.
 */
export async function readiness({
  isReady,
  degraded,
  schema,
}: Health): Promise<{ status: number; body: object }> {
  const ready = await isReady();
  const missing = degraded();
  const compared = await schema?.();
  const body = {
    status: ready ? 'ready' : 'unavailable',
    ...(missing.length > 0 ? { degraded: missing } : {}),
    ...(compared === undefined || compared === 'current' ? {} : { schema: compared }),
  };
  return { status: ready ? 200 : 503, body };
}

/**
 * Returns the health pages. `/health/live` reports that the process runs; for `/health/ready` see {@link readiness}.
 * They have no rate limit, because a process whose probes are refused is presumed dead; concurrent probes share one
 * check of the database.
 */
export function healthPages(health: Health): Page[] {
  const look = shared(() => readiness(health));
  return [
    { path: '/health/live', allowanceOf: () => 'none', answer: async () => ({ status: 'live' }) },
    {
      path: '/health/ready',
      allowanceOf: () => 'none',
      answer: async (_request, reply) => {
        const { status, body } = await look();
        return reply.code(status).send(body);
      },
    },
  ];
}
