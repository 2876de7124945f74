import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { AlertShape, alertParams, ListAlertsQuery } from './alerts.schemas.ts';
import { type AlertRules, alertClosed, alertNotFound } from './alerts.ts';

const tag = 'Administration';

/** Operations for what a person must deal with. */
export const alertOperations = (alerts: AlertRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/alerts',
    id: 'listAlerts',
    tag,
    summary: 'List what a person must deal with, newest first',
    access: administrator,
    query: ListAlertsQuery,
    success: pageOf(AlertShape),
    handle: ({ query: { status, target, ...request } }) => alerts.pageOf({ status, target }, request),
  }),
  operation({
    method: 'POST',
    path: '/v1/admin/alerts/:alertId/close',
    id: 'closeAlert',
    tag,
    summary: 'Record that an alert was dealt with',
    description:
      'The reason is kept in the audit log. An alert whose place a newer one has taken is 409, so that nobody closes what they have not read.',
    access: administrator,
    params: alertParams,
    idempotent: true,
    success: ok(AlertShape, { message: 'Alert closed' }),
    failures: [alertNotFound, alertClosed],
    load: ({ params }) => alerts.find(params.alertId),
    handle: ({ loaded, caller, facts, idempotency }) =>
      alerts.close(loaded, actorOf(caller, facts), idempotency),
  }),
];
