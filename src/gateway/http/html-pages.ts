import type { FastifyReply } from 'fastify';
import type { HtmlPage } from '../../kernel/operations/operation.ts';

/** Pages may use inline styles and submit their own forms, nothing else. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function sendPage(reply: FastifyReply, { status, html }: HtmlPage): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', PAGE_POLICY)
    .header('content-type', 'text/html; charset=utf-8')
    .serializer(String)
    .send(html);
}
