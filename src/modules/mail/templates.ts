import { escapeHtml } from '../../kernel/html.ts';
import { shortenTo } from '../../kernel/text.ts';

/** What a mail says, in both of its forms. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

interface Content {
  subject: string;
  /** Paragraphs of plain text; they are escaped. */
  paragraphs: string[];
  /** Shown large, such as a code. */
  highlight?: string;
  /** Below everything, small. */
  footer?: string;
  /** At the end of the footer. */
  footerLink?: { label: string; url: string };
}

/** A title of a notification has at most 200 characters, and some of ours a few words before it. */
const MAX_SUBJECT_LENGTH = 250;

/** Of a title that has nothing visible. */
const NO_SUBJECT = 'A message for you';

/** Header fields are lines: what a user wrote must not begin another one. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

const withBreaks = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>');

/** One layout for all: a single column that narrows with the screen, and reads without styles too. */
export function letter({ subject, paragraphs, highlight, footer, footerLink }: Content): Letter {
  const code = highlight === undefined ? [] : [highlight];
  const [first = '', ...rest] = paragraphs;
  const small = footer ?? 'You receive this because you have an account with us.';
  const link = footerLink
    ? ` <a href="${escapeHtml(footerLink.url)}" style="color:#6b7280">${escapeHtml(footerLink.label)}</a>`
    : '';
  const linkText = footerLink ? `${footerLink.label}: ${footerLink.url}\n` : '';
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
</td></tr></table>
<p style="max-width:560px;margin:16px auto 0;font-size:13px;color:#6b7280">${escapeHtml(small)}${link}</p>
</td></tr></table></body></html>`;
  return {
    subject: shortenTo(oneLine(subject), MAX_SUBJECT_LENGTH) || NO_SUBJECT,
    text: `${[first, ...code, ...rest].join('\n\n')}\n\n-- \n${small}\n${linkText}`,
    html,
  };
}

const NAME = /^[\p{L}\p{M}\p{N} '’.-]{1,60}$/u;
/** What mail programs make a link of: a host name, or a telephone number. */
const LINK = /\.[\p{L}\p{N}]{2}|\d{5}/u;

/**
 * The name as a mail shows it, after what stands before it; or nothing. The address may be a stranger's, who did not sign up;
 * a name that carries a link or an advertisement would reach them under our own.
 */
const named = (before: string, firstName: string): string =>
  NAME.test(firstName) && !LINK.test(firstName) ? `${before}${firstName}` : '';

export const welcomeLetter = ({ firstName }: { firstName: string }): Letter =>
  letter({
    subject: `Welcome${named(', ', firstName)}`,
    paragraphs: [`Hello${named(' ', firstName)},`, 'your account is ready. We are glad that you are here.'],
  });

export const passwordResetLetter = ({ firstName, code }: { firstName: string; code: string }): Letter =>
  letter({
    subject: 'Your password reset code',
    paragraphs: [
      `Hello${named(' ', firstName)},\nyour code is ${code}. It is good for one hour.`,
      'If you did not ask for it, you need do nothing.',
    ],
    highlight: code,
  });

export const passwordChangedLetter = ({ firstName }: { firstName: string }): Letter =>
  letter({
    subject: 'Your password was changed',
    paragraphs: [
      `Hello${named(' ', firstName)},`,
      'your password was changed, and your other sessions have ended.',
      'If that was not you, reset your password now.',
    ],
  });
