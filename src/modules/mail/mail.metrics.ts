import { type LabelledCount, labelledCount } from '../../kernel/metric.ts';

/** Counts attempts to send e-mails, notifications included. */
export const mailCounts = (): LabelledCount =>
  labelledCount({
    name: 'mails_total',
    help: 'Attempts of this process to send e-mails, by outcome: sent, failed (tried again for a while), rejected by the server for good, suppressed (the address refuses our mail, or has had ten of the kind within the hour), unavailable (no mail server is configured)',
    group: 'External systems',
    label: 'outcome',
    values: ['sent', 'failed', 'rejected', 'suppressed', 'unavailable'],
    alerts: [
      {
        name: 'MailsFail',
        query:
          '(sum(increase(mails_total{outcome=~"failed|rejected"}[15m])) > 5 or vector(0)) / (sum(increase(mails_total{outcome=~"sent|failed|rejected"}[15m])) > 0 or vector(1))',
        condition: '> 0.5',
        minutes: 15,
        severity: 'page',
        means:
          'Most e-mails cannot be sent: members cannot reset passwords, verify addresses or learn of sign-ins.',
        steps: [
          'The log says why: `job attempt failed` and `mail rejected by the server`.',
          'Check `SMTP_URL`, the credentials and the quota at the provider, and whether our address is on a blocklist.',
          'Transactional e-mails are tried again as jobs; what became dead can be retried in the console.',
        ],
      },
    ],
  });
