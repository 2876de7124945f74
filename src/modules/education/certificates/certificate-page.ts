import { type Failure, failure } from '../../../kernel/failures.ts';
import { OBJECT_ID } from '../../../kernel/ids.ts';
import type { RawRoute } from '../../../kernel/operations/raw-routes.ts';
import { escapeHtml } from '../../../kernel/text/html.ts';
import { certificateNotFound } from '../failures.ts';
import type { CertificateRules, CertificateView } from './certificates.ts';

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style>body{font:17px/1.6 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;background:#f3f4f6;color:#111827}
main{background:#fff;border-radius:12px;padding:40px;max-width:560px;margin:16px;box-shadow:0 1px 4px #0002;overflow-wrap:anywhere}
h1{font-size:20px;margin:0 0 24px}dt{color:#6b7280;font-size:14px}dd{margin:0 0 16px;font-size:19px}
@media(prefers-color-scheme:dark){body{background:#111827;color:#f9fafb}main{background:#1f2937}dt{color:#9ca3af}}</style>
</head><body><main>${body}</main></body></html>`;

const genuine = ({ name, courseTitle, completedAt, certificateId }: CertificateView): string =>
  page(
    `Certificate of ${name}`,
    `<h1>This certificate is genuine</h1><dl>
<dt>Awarded to</dt><dd>${escapeHtml(name)}</dd>
<dt>Course</dt><dd>${escapeHtml(courseTitle)}</dd>
<dt>Completed on</dt><dd>${completedAt.toISOString().slice(0, 10)}</dd>
<dt>Number</dt><dd>${certificateId}</dd></dl>`,
  );

const unknownCertificate = failure(404, 'NOT_FOUND', 'There is no such certificate', { reason: 'missing' });

function failurePage(refused: Failure, errorId: string): string {
  const advice = unknownCertificate.is(refused)
    ? '<p>Compare its number with the one you were given.</p>'
    : '<p>Please try again later.</p>';
  const heading = `<h1>${escapeHtml(refused.message)}</h1>`;
  return page(refused.message, `${heading}${advice}<p><small>Error ${errorId}</small></p>`);
}

/** The page at `verifyUrl`, which shows to anyone whether a certificate is genuine. */
export const certificatePage = (certificates: CertificateRules): RawRoute => ({
  path: '/certificates/:certificateId',
  failurePage,
  async handle({ params }) {
    const id = params.certificateId ?? '';
    const found = OBJECT_ID.test(id) ? await certificates.find(id).catch(ifUnknown) : undefined;
    if (!found) throw unknownCertificate();
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      },
      body: genuine(found),
    };
  },
});

function ifUnknown(error: unknown): undefined {
  if (!certificateNotFound.is(error)) throw error;
}
