import { serviceUnavailable } from '../../kernel/failures.ts';
import { administrator, mailWebhookSecret } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import {
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../kernel/operations/operation.ts';
import { invalidPayload } from './invalid-payload.ts';
import {
  FeedbackAnswer,
  FeedbackBody,
  FeedbackQuery,
  ListSuppressionsQuery,
  SuppressionParams,
  SuppressionShape,
} from './mail.schemas.ts';
import { type SuppressionRules, suppressionNotFound } from './suppressions.ts';

export const mailOperations = (suppressions: SuppressionRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/webhooks/mail',
    id: 'receiveMailFeedback',
    tag: 'Webhooks',
    summary: 'Report bounces and complaints (webhook of the mail service)',
    description:
      'Requires the secret of the mail service (`MAIL_WEBHOOK_SECRET`, or `WEBHOOK_SECRET` without it) and no API key: as `X-Webhook-Secret`, as `?secret=`, or as the password of basic authentication. An address with a permanent bounce or a complaint gets no more mail, except codes that its owner asks for. A subscription of Amazon SNS is confirmed. Repeating the request has no further effect.',
    access: mailWebhookSecret,
    query: FeedbackQuery,
    body: FeedbackBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    takesPlainText: true,
    success: ok(FeedbackAnswer),
    failures: [invalidPayload, serviceUnavailable],
    // The fields of every service: no shape names them.
    handle: ({ raw }) => suppressions.receive(raw.text === '' ? {} : JSON.parse(raw.text)),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/mail/suppressions',
    id: 'listMailSuppressions',
    tag: 'Mail',
    summary: 'List addresses that get no mail, newest first',
    access: administrator,
    query: ListSuppressionsQuery,
    success: pageOf(SuppressionShape),
    handle: ({ query: { email, page, limit, before } }) =>
      suppressions.pageOf(email, { page, limit, before }),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/admin/mail/suppressions/:email',
    id: 'deleteMailSuppression',
    tag: 'Mail',
    summary: 'Send mail to an address again',
    access: administrator,
    params: SuppressionParams,
    success: ok(SuppressionShape, { message: 'Suppression removed' }),
    failures: [suppressionNotFound],
    handle: ({ params, caller, facts }) => suppressions.remove(params.email, actorOf(caller, facts)),
  }),
];
