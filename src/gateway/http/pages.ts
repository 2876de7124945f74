import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ObjectId } from '../../kernel/ids.ts';
import type { PageAllowance, RawRoute } from '../../kernel/operations/raw-routes.ts';

interface PageRules {
  /** Returns the rate limit of a request; by default that of its address. */
  allowanceOf?: (request: FastifyRequest) => PageAllowance;
  /** Returns the member to whom the link was issued, for the access log. */
  memberOf?: ((request: FastifyRequest) => ObjectId | undefined) | undefined;
  /** Returns the HTML of a failure; by default failures are answered in the envelope. */
  failurePage?: RawRoute['failurePage'] | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig extends PageRules {}
}

/** A page outside the API, which needs no API key; it answers GET and HEAD. */
export interface Page extends PageRules {
  /** The path, with `:name` for parameters, and `*` for the rest. */
  path: string;
  /** Whether every origin may read it. */
  anyOrigin?: boolean;
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

export function addPage(app: FastifyInstance, page: Page): void {
  const { path, allowanceOf = () => 'address', memberOf, failurePage, answer } = page;
  const config = { allowanceOf, memberOf, failurePage };
  app.route({ method: ['GET', 'HEAD'], url: path, config, handler: answer });
}
