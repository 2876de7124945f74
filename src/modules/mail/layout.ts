import { escapeHtml } from '../../kernel/text/html.ts';
import { shortenTo } from '../../kernel/text/text.ts';
import type { MailContent } from './contract.ts';

/** An e-mail in both formats. */
interface LaidOut {
  subject: string;
  text: string;
  html: string;
}

/** Titles of notifications have at most 200 characters, plus a few words that some mails prepend. */
const MAX_SUBJECT_LENGTH = 250;

/** Subject for a title without visible characters. */
const NO_SUBJECT = 'A message for you';

/** Removes line breaks, so that user input cannot start another header field. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

const withBreaks = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>');

const button = ({ label, url }: NonNullable<MailContent['action']>): string =>
  `<p style="margin:24px 0 8px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 20px;border-radius:8px;background:#2743b8;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;

/** Renders a mail: a single column that adapts to the screen width and is readable without styles. */
export function layOut(content: MailContent): LaidOut {
  const { subject, paragraphs, highlight, action, footer, footerLink } = content;
  const code = highlight === undefined ? [] : [highlight];
  const [first = '', ...rest] = paragraphs;
  const small = footer ?? 'You receive this because you have an account with us.';
  const link = footerLink
    ? ` <a href="${escapeHtml(footerLink.url)}" style="color:#6b7280">${escapeHtml(footerLink.label)}</a>`
    : '';
  const linkText = footerLink ? `${footerLink.label}: ${footerLink.url}\n` : '';
  const steps = action ? [`${action.label}: ${action.url}`] : [];
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f3f4f6;font:16px/1.6 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#111827">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:12px">
<tr><td style="padding:32px 32px 8px"><h1 style="margin:0;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${escapeHtml(subject)}</h1></td></tr>
<tr><td style="padding:8px 32px 32px;overflow-wrap:anywhere">
<p style="margin:0 0 16px">${withBreaks(first)}</p>
${code.map((text) => `<p style="margin:24px 0;font-size:32px;font-weight:600;letter-spacing:6px;text-align:center">${escapeHtml(text)}</p>`).join('')}
${rest.map((text) => `<p style="margin:0 0 16px">${withBreaks(text)}</p>`).join('\n')}
${action ? button(action) : ''}
</td></tr></table>
<p style="max-width:560px;margin:16px auto 0;font-size:13px;color:#6b7280">${escapeHtml(small)}${link}</p>
</td></tr></table></body></html>`;
  return {
    subject: shortenTo(oneLine(subject), MAX_SUBJECT_LENGTH) || NO_SUBJECT,
    text: `${[first, ...code, ...rest, ...steps].join('\n\n')}\n\n-- \n${small}\n${linkText}`,
    html,
  };
}
