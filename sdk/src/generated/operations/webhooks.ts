// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, WriteCode } from '../codes.ts';
import { renaming } from '../../renaming.ts';
import type * as types from '../types.ts';
import type * as wire from '../wire.ts';

/** Report bounces and complaints (webhook of the mail service). `POST /v1/webhooks/mail` For backoffice. */
export const receiveMailFeedback: Operation<{
  query: {
    /** The secret, for services that cannot send a header */
    secret?: string;
  };
  body: wire.ReceiveMailFeedbackBody;
  data: wire.ReceiveMailFeedbackResult;
  code: AnyCode | WriteCode | 'INVALID_PAYLOAD' | 'JSON_TOO_DENSE' | 'UNAUTHORIZED' | 'WEBHOOK_NOT_CONFIGURED';
}> = {
  id: 'receiveMailFeedback',
  method: 'POST',
  path: '/v1/webhooks/mail',
  isOpen: true,
};

/** Receive an event from the payment provider. `POST /v1/webhooks/payments` For provider. */
export const receivePaymentWebhook: Operation<{
  body: wire.ReceivePaymentWebhookBody;
  data: wire.ReceivePaymentWebhookResult;
  code: AnyCode | WriteCode | 'INVALID_EVENT' | 'INVALID_SIGNATURE' | 'JSON_TOO_DENSE' | 'PAYMENT_UNAVAILABLE';
}> = {
  id: 'receivePaymentWebhook',
  method: 'POST',
  path: '/v1/webhooks/payments',
  isOpen: true,
};

/** Grant or revoke all indicators of a customer (backoffice webhook). `POST /v1/streams/webhooks/indicator-access` For backoffice. */
export const receiveIndicatorAccess: Operation<{
  body: wire.ReceiveIndicatorAccessBody;
  data: wire.IndicatorAccessWebhookAnswer;
  renamedBody: types.ReceiveIndicatorAccessBody;
  code: AnyCode | WriteCode | 'CHARTING_USERNAME_REQUIRED' | 'CUSTOMER_NOT_FOUND' | 'EVENT_ID_REUSED' | 'INVALID_ACTION' | 'INVALID_PAYLOAD' | 'UNAUTHORIZED' | 'WEBHOOK_NOT_CONFIGURED';
}> = {
  id: 'receiveIndicatorAccess',
  method: 'POST',
  path: '/v1/streams/webhooks/indicator-access',
  isOpen: true,
  around: (request, _session, send) => renaming(request, send, [], ['customer_id', 'charting_username']),
};

/** Report a member as active or inactive (backoffice webhook). `POST /v1/streams/webhooks/activity-status` For backoffice. */
export const receiveActivityStatus: Operation<{
  body: wire.ReceiveActivityStatusBody;
  data: wire.ActivityStatusWebhookAnswer;
  code: AnyCode | WriteCode | 'EVENT_ID_REUSED' | 'INVALID_ID' | 'INVALID_PAYLOAD' | 'NOT_FOUND' | 'UNAUTHORIZED' | 'UNKNOWN_STATUS' | 'WEBHOOK_NOT_CONFIGURED';
}> = {
  id: 'receiveActivityStatus',
  method: 'POST',
  path: '/v1/streams/webhooks/activity-status',
  isOpen: true,
};
