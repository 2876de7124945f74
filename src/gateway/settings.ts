import { origins } from '../kernel/address-settings.ts';
import { daysKept } from '../kernel/records/days-kept.ts';
import {
  headerSecrets,
  integer,
  neededInProduction,
  networks,
  onOff,
  orNone,
  type Setting,
  type ValuesOf,
} from '../kernel/settings.ts';

export const gatewaySettings = {
  internalApiKeys: neededInProduction(
    headerSecrets(
      'INTERNAL_API_KEY',
      16,
      'The key that internal services send as X-Internal-API-Key; two, separated by a comma, during rotation',
    ),
  ),
  webhookSecrets: neededInProduction(
    orNone(
      headerSecrets(
        'WEBHOOK_SECRET',
        16,
        'The secret that the backoffice sends as X-Webhook-Secret; two, separated by a comma, during rotation; if empty, its webhooks are rejected',
      ),
    ),
  ),
  mailWebhookSecrets: orNone(
    headerSecrets(
      'MAIL_WEBHOOK_SECRET',
      16,
      'The secret with which the mail service reports bounces and complaints, so that it need not hold that of the backoffice; two, separated by a comma, during rotation; if empty, its webhook is rejected; WEBHOOK_SECRET by default',
    ),
  ),
  corsOrigins: origins(
    'CORS_ORIGINS',
    'Browser origins that may use the API, separated by commas; by default all in development and none in production',
    'https://app.example.com',
  ),
  trustedProxies: neededInProduction(
    networks(
      'TRUSTED_PROXIES',
      'Addresses and networks (CIDR) of proxies and load balancers, whose X-Forwarded-For is trusted, separated by commas; none if clients connect directly; needed in production, except by ROLE=worker',
      '10.0.0.0/8',
    ),
    'the addresses of the load balancers in front of it, such as 10.0.0.0/8, or none',
  ),
  errorReportRetentionDays: daysKept(
    'ERROR_REPORT_RETENTION_DAYS',
    30,
    [1, 3650],
    'Days for which reports of failures are kept',
  ),
  auditRetentionDays: daysKept(
    'AUDIT_RETENTION_DAYS',
    'keep',
    [365, 36_500],
    'Days for which entries of the audit log are kept, except those about money, which are never deleted',
  ),
  stalledClientSeconds: integer(
    'STALLED_CLIENT_SECONDS',
    30,
    [5, 3600],
    'Seconds after which a connection is closed whose client accepts no data of a pending response',
  ),
  logsAccess: onOff(
    'ACCESS_LOG',
    'on',
    'Whether each request is logged at info, with route and outcome but without query and body',
  ),
} satisfies Record<string, Setting<unknown>>;

export type GatewaySettings = ValuesOf<typeof gatewaySettings>;
