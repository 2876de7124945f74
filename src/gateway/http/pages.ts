import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageAllowance } from '../../kernel/operations/raw-routes.ts';

type AllowanceOf = (request: FastifyRequest) => PageAllowance;

declare module 'fastify' {
  interface FastifyContextConfig {
    allowanceOf?: AllowanceOf;
  }
}

/** A page outside the API, which needs no key; it answers GET and HEAD. */
export interface Page {
  /** The path, with `:name` for parameters, and `*` for the rest. */
  path: string;
  /** Whether every origin may read it. */
  anyOrigin?: boolean;
  /** What requests count against; by default the allowance of their address. */
  allowanceOf?: AllowanceOf;
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

export function addPage(app: FastifyInstance, { path, allowanceOf = () => 'address', answer }: Page): void {
  app.route({ method: ['GET', 'HEAD'], url: path, config: { allowanceOf }, handler: answer });
}
