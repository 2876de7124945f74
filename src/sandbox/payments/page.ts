import { escapeHtml } from '../../kernel/text/html.ts';
import type { Session } from './state.ts';

const money = ({ amount_total, currency }: Session): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount_total / 100);

const frame = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.ico">
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center;
    background: light-dark(#f3f4f6, #111827); color: light-dark(#111827, #f3f4f6) }
  main { background: light-dark(#fff, #1f2937); border-radius: 1rem; padding: 2rem; width: min(24rem, 100vw - 6rem);
    box-shadow: 0 10px 30px #0002 }
  a { color: light-dark(#1d4ed8, #93c5fd) } small { color: light-dark(#4b5563, #cbd5e1) } h1 { font-size: 1rem; margin: 0; font-weight: 500 }
  .price { font-size: 2.25rem; font-weight: 600; margin: .25rem 0 1.5rem }
  button { font: inherit; width: 100%; padding: .75rem; border-radius: .5rem; border: 1px solid transparent; cursor: pointer;
    margin-top: .75rem; background: none; color: inherit; border-color: light-dark(#d1d5db, #4b5563) }
  button.pay { background: #4f46e5; color: #fff; border: 0; font-weight: 600 }
  button:focus-visible { outline: 3px solid #a5b4fc; outline-offset: 2px }
  .note { border-top: 1px solid light-dark(#e5e7eb, #374151); margin-top: 1.5rem; padding-top: 1rem }
</style></head><body><main>${body}</main></body></html>`;

/** With a real provider payers return to the client; here they continue to the e-mail about their payment. */
const BACK = '<p class="note"><a href="/mailbox">Back to the mailbox</a> · <a href="/">Sandbox</a></p>';

/** Returns the page on which payers pay, decline or cancel. */
export const checkoutPage = (session: Session): string =>
  frame(
    'Sandbox checkout',
    `<h1>${escapeHtml(session.description)}</h1>
<p class="price">${money(session)}</p>
<form method="post">
  <button class="pay" name="outcome" value="pay">Pay ${money(session)}</button>
  <button name="outcome" value="decline">Let the bank decline it</button>
  <button name="outcome" value="cancel">Cancel and go back</button>
</form>
<p class="note"><small>This is the sandbox: no money moves. Open until ${new Date(session.expires_at * 1000).toUTCString()}.</small></p>`,
  );

export const closedPage = (session: Session | undefined): string =>
  frame(
    'Sandbox checkout',
    session
      ? `<h1>${escapeHtml(session.description)}</h1><p>This checkout is ${
          session.payment_status === 'paid' ? 'paid' : session.status === 'expired' ? 'expired' : 'closed'
        }.</p>${BACK}`
      : `<h1>There is no such checkout</h1>${BACK}`,
  );

/** Returns the default page to which payers return. */
export const returnPage = (isPaid: boolean): string =>
  frame(
    'Back from the checkout',
    `<h1>${isPaid ? 'Thank you' : 'Nothing was paid'}</h1><p>${
      isPaid
        ? 'Your Keys are in your wallet.'
        : 'You can close this page, or go back and pay as long as the checkout is open.'
    }</p>${BACK}`,
  );
