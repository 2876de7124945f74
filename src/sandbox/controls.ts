import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../kernel/text/html.ts';
import { MODES as CHARTING_MODES } from './charting/state.ts';
import { sandboxPage } from './page.ts';

const PATH = '/control';

interface Control {
  about: string;
  /** An example of the body; controls that only read have none. */
  body?: object;
}

/** A description of each control, by method and path. A mode stays until it is set to "ok" again. */
export const CONTROLS: Record<string, Control> = {
  'GET /control/backoffice': { about: 'The number of calls to the customer directory' },
  'POST /control/backoffice': { about: 'The directory: ok, fail, hang, nonsense', body: { mode: 'fail' } },
  'PUT /control/backoffice/customers': {
    about: 'Create or change a customer of the directory, and what they have bought',
    body: {
      email: 'ada@example.com',
      password: 'correct horse',
      products: [
        { sku: 'XHSET101', product_name: 'Essentials', last_purchased_date: '2026-11-20T00:00:00.000Z' },
      ],
    },
  },
  'GET /control/charting': { about: 'Who has access to which script, and the last calls' },
  'POST /control/charting': {
    about: `The charting platform: ${CHARTING_MODES.join(', ')}; "delay" in milliseconds`,
    body: { mode: 'session-expired' },
  },
  'PUT /control/charting': {
    about: 'Grant access by hand ("admit"), or replace all holders ("holders")',
    body: { admit: { 'PUB;script': ['ada_trades'] } },
  },
  'GET /control/clock': { about: 'The time of the platform, and how far ahead of the real one it is' },
  'POST /control/clock': {
    about:
      'Move the time of the platform on, at most 400 days: work that falls due in between runs, a day at a time or in a longer "step", before the response. It cannot be moved back; docs/year.md shows what ends when',
    body: { advance: '31 days' },
  },
  'GET /control/mail': { about: 'The number of received e-mails' },
  'POST /control/mail': { about: 'The mail server: ok, fail, reject, hang', body: { mode: 'reject' } },
  'GET /control/payments': { about: 'The numbers of checkouts and payouts' },
  'POST /control/payments': {
    about:
      'The payment provider: ok, fail, hang, nonsense; whether it sends webhooks; how payouts end: paid, failed, hold, in_transit',
    body: { mode: 'ok', webhooks: true, payouts: 'failed', payoutDelay: 5 },
  },
  'POST /control/payments/:id/expire': { about: 'Expire a checkout', body: {} },
  'POST /control/payments/:id/refund': {
    about: 'Refund a payment, as an operator would',
    body: { cents: 500 },
  },
  'POST /control/payments/:id/dispute': {
    about: 'Have the payer dispute a payment',
    body: { event: 'created', id: 'dp_1', status: 'needs_response' },
  },
  'POST /control/payouts/:id/end': {
    about: 'End a payout, also one that was paid, as when a bank returns the money',
    body: { status: 'failed' },
  },
  'POST /control/prices': {
    about: 'Fix a price; or the feed: ok, fail, nonsense',
    body: { symbol: 'GOLD', price: 2700 },
  },
  'POST /control/push': { about: 'The push services: ok, fail, hang', body: { mode: 'fail' } },
  'POST /control/schedule': {
    about: 'The upstream of the schedule: ok, fail, hang, nonsense',
    body: { mode: 'hang' },
  },
  'PUT /control/schedule': {
    about: 'Its sessions',
    body: {
      sessions: [
        {
          id: 's-1',
          title: 'Gold at noon',
          educatorId: 'e-1',
          startsAt: '2026-12-01T12:00:00.000Z',
          endsAt: '2026-12-01T13:00:00.000Z',
        },
      ],
    },
  },
  'POST /control/storage': { about: 'The object storage: ok, fail, hang, slow', body: { mode: 'slow' } },
  'POST /control/wallet': {
    about: 'Whether other modules reach the wallet: ok, fail',
    body: { mode: 'fail' },
  },
  'POST /control/webhooks': {
    about: 'The receiver of webhooks: ok, fail, hang, gone (410)',
    body: { mode: 'fail' },
  },
  'POST /control/web-push': { about: 'Subscribe as a browser would', body: {} },
  'DELETE /control/web-push/:id': { about: 'End such a subscription' },
};

const STYLE = `article { margin: 1rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
article p { margin: .25rem 0 } pre { overflow-x: auto; margin: .5rem 0 0; font-size: .8rem }`;

/** Adds the list of all controls at `/control`. */
export function addControlPage(app: FastifyInstance, ownUrl: () => string): void {
  app.get(PATH, async (_request, reply) => {
    const articles = Object.entries(CONTROLS).map(([control, { about, body }]) => {
      const [method, path] = control.split(' ') as [string, string];
      const sent = body ? ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'` : '';
      const line = `curl -X ${method} '${ownUrl()}${path}'${sent}`;
      return `<article><b>${escapeHtml(control)}</b><p>${escapeHtml(about)}</p><pre tabindex="0">${escapeHtml(line)}</pre></article>`;
    });
    const main = `<h1>Controls</h1>
<p>They make a stand-in misbehave, or perform an action of an external system. A mode stays until it is <code>ok</code> again.</p>
${articles.join('\n')}`;
    return reply
      .type('text/html; charset=utf-8')
      .send(sandboxPage({ title: 'Sandbox controls', path: PATH, style: STYLE, main }));
  });
}
