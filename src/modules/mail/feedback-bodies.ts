import { storableText } from '../../kernel/text/safe-text.ts';
import { instantOf as isoInstantOf, SECOND_MS } from '../../kernel/time/time.ts';
import { invalidPayload } from './invalid-payload.ts';
import { snsAddress } from './sns-signatures.ts';
import type { Feedback } from './suppressions.model.ts';

/** A parsed request of a mail service: reports about addresses, or the request to confirm a subscription. */
export type Received = { feedback: Feedback[] } | { confirmAt: URL };

type Json = Record<string, unknown>;

/** @param verifySns throws for a message of Amazon SNS that is not signed by it */
type VerifySns = (sent: Json) => Promise<void>;

/**
 * Parses a request of a mail service.
 * @param now the time of reports that have none
 * @throws invalidPayload, and the failures of `verifySns`
 */
export async function receivedIn(body: unknown, now: Date, verifySns: VerifySns): Promise<Received> {
  if (Array.isArray(body)) return { feedback: body.flatMap((event) => ofSendGrid(asObject(event), now)) };
  const sent = asObject(body);
  if (typeof sent.RecordType === 'string') return { feedback: ofPostmark(sent, now) };
  if (typeof sent.Type === 'string') {
    await verifySns(sent);
    return ofSns(sent, now);
  }
  if (isOfSes(sent)) return { feedback: ofSes(sent, now) };
  return { feedback: [plain(sent, now)] };
}

/** `{email, kind, permanent, at}`, for every other service. */
function plain({ email, kind, permanent, at }: Json, now: Date): Feedback {
  if (typeof email !== 'string' || (kind !== 'bounce' && kind !== 'complaint')) throw invalidPayload();
  if (kind === 'bounce' && typeof permanent !== 'boolean') throw invalidPayload();
  if (at !== undefined && at !== null && instantOf(at) === undefined) throw invalidPayload();
  return feedbackOf(email, kind, { isPermanent: kind === 'complaint' || permanent === true, at: at ?? now });
}

/** Event webhook: a list of events. */
function ofSendGrid({ email, event, type, reason, timestamp }: Json, now: Date): Feedback[] {
  if (typeof event !== 'string') throw invalidPayload();
  if (typeof email !== 'string') return [];
  const at = typeof timestamp === 'number' ? timestamp : now;
  if (event === 'spamreport') return [feedbackOf(email, 'complaint', { reason, at })];
  // A "blocked" message may get through another time.
  if (event !== 'bounce') return [];
  return [feedbackOf(email, 'bounce', { isPermanent: type !== 'blocked', reason, at })];
}

const PERMANENT_AT_POSTMARK = ['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated'];

/** Bounce, spam complaint and subscription change webhooks. */
function ofPostmark(sent: Json, now: Date): Feedback[] {
  const { RecordType, Type, Email, Recipient, Description, BouncedAt, ChangedAt } = sent;
  const [email, at] = [Email ?? Recipient, BouncedAt ?? ChangedAt ?? now];
  if (typeof email !== 'string') return [];
  const reason = Description;
  const { SuppressSending, SuppressionReason } = sent;
  if (RecordType === 'SpamComplaint' || (SuppressSending === true && SuppressionReason === 'SpamComplaint'))
    return [feedbackOf(email, 'complaint', { reason, at })];
  if (RecordType === 'Bounce')
    return [
      feedbackOf(email, 'bounce', {
        isPermanent: PERMANENT_AT_POSTMARK.some((type) => type === Type),
        reason,
        at,
      }),
    ];
  if (SuppressSending === true && SuppressionReason === 'HardBounce')
    return [feedbackOf(email, 'bounce', { isPermanent: true, reason, at })];
  return [];
}

/** A message of Amazon SNS, whose signature has been verified. */
function ofSns({ Type, Message, SubscribeURL }: Json, now: Date): Received {
  if (Type === 'SubscriptionConfirmation') {
    const confirmAt = snsAddress(SubscribeURL);
    if (!confirmAt) throw invalidPayload();
    return { confirmAt };
  }
  if (Type !== 'Notification') return { feedback: [] };
  const message = parsed(Message);
  return { feedback: isOfSes(message) ? ofSes(message, now) : [] };
}

/** A test message of SNS is a text. */
function parsed(text: unknown): Json {
  try {
    return asObject(JSON.parse(String(text)));
  } catch {
    return {};
  }
}

const isOfSes = ({ notificationType, eventType }: Json): boolean =>
  typeof (notificationType ?? eventType) === 'string';

function ofSes(message: Json, now: Date): Feedback[] {
  const kind = message.notificationType ?? message.eventType;
  if (kind === 'Bounce') {
    const { bounceType, bouncedRecipients, timestamp } = asObject(message.bounce);
    return recipientsOf(bouncedRecipients).map(({ emailAddress, diagnosticCode }) =>
      feedbackOf(textOf(emailAddress), 'bounce', {
        isPermanent: bounceType === 'Permanent',
        reason: diagnosticCode,
        at: timestamp ?? now,
      }),
    );
  }
  if (kind !== 'Complaint') return [];
  const { complainedRecipients, complaintFeedbackType, timestamp } = asObject(message.complaint);
  // The recipient took our mail out of the spam folder.
  if (complaintFeedbackType === 'not-spam') return [];
  return recipientsOf(complainedRecipients).map(({ emailAddress }) =>
    feedbackOf(textOf(emailAddress), 'complaint', { reason: complaintFeedbackType, at: timestamp ?? now }),
  );
}

/** The same maximum as for the bodies of other services; SES itself names at most 50. */
const MAX_RECIPIENTS = 1_000;

function recipientsOf(list: unknown): Json[] {
  if (!Array.isArray(list)) return [];
  if (list.length > MAX_RECIPIENTS) throw invalidPayload();
  return list.map(asObject);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw invalidPayload();
  return value;
}

const MAX_REASON_LENGTH = 500;

function feedbackOf(
  email: string,
  kind: Feedback['kind'],
  { isPermanent = true, reason, at }: { isPermanent?: boolean; reason?: unknown; at: unknown },
): Feedback {
  // An SNS message is JSON within a text, so the checks of the body have not seen the texts in it that PostgreSQL
  // cannot store.
  const text = typeof reason === 'string' ? storableText(reason, MAX_REASON_LENGTH) : null;
  return { email: withoutName(email), kind, isPermanent, reason: text, at: instantOf(at) ?? new Date(0) };
}

/** SES repeats an address as it was given: `Ada <ada@example.com>`. */
const withoutName = (email: string): string => /<([^<>]+)>\s*$/.exec(email)?.[1] ?? email;

/** Below it, a number counts seconds: as milliseconds it would be before April 1973. */
const MIN_MILLISECONDS = 100_000_000_000;

/** Reads a time: milliseconds or seconds, ISO 8601, which is in UTC where it names no zone, or that of a mail's header. */
function timeOf(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (typeof value === 'number') return new Date(value < MIN_MILLISECONDS ? value * SECOND_MS : value);
  if (typeof value !== 'string') return undefined;
  const iso = isoInstantOf(value);
  return Number.isNaN(iso.getTime()) ? new Date(value) : iso;
}

function instantOf(value: unknown): Date | undefined {
  const at = timeOf(value);
  if (at === undefined) return undefined;
  const year = at.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? at : undefined;
}

function asObject(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidPayload();
  return value as Json;
}
