import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { notFound, serviceUnavailable } from '../../kernel/failures.ts';
import { ExternalFault, outboundClient } from '../../kernel/net/outbound.ts';
import type { Actor } from '../../kernel/records/audit.ts';
import { canonicalAddress } from '../../kernel/text/email-address.ts';
import { addressSuppressed } from './contract.ts';
import { receivedIn } from './feedback-bodies.ts';
import type { SnsSignatures } from './sns-signatures.ts';
import type { Feedback, Suppression } from './suppressions.model.ts';
import type { SuppressionStore } from './suppressions.store.ts';

export const suppressionNotFound = notFound('Suppression');

const CONFIRMATION_TIMEOUT_MS = 5_000;

interface SuppressionDeps extends Pick<Core, 'database' | 'events' | 'audit' | 'clock' | 'newId'> {
  store: SuppressionStore;
  verifySns: SnsSignatures;
}

/** Addresses that refuse our mail, as mail services report them. */
export function suppressionRules(deps: SuppressionDeps) {
  const { store, verifySns, database, events, audit, clock, newId } = deps;
  /** Takes a report; returns whether its address is suppressed by it, or was before. */
  async function take({ email, kind, isPermanent, reason, at }: Feedback): Promise<boolean> {
    const address = canonicalAddress(email);
    if (address === undefined || !isPermanent) return false;
    const createdAt = clock.date();
    const reportedAt = at > createdAt ? createdAt : at;
    return database.transaction(async (tx) => {
      const suppression = { id: newId(), email: address, kind, reason, reportedAt, createdAt };
      if (await store.save(tx, suppression)) await events.publish(tx, addressSuppressed, { email: address });
      return store.isSuppressed(address, tx);
    });
  }

  /** @throws serviceUnavailable, so that the service repeats its request */
  async function confirm(url: URL): Promise<void> {
    const call = outboundClient({ baseUrl: url.origin, timeoutMs: CONFIRMATION_TIMEOUT_MS, retries: 1 });
    const { status } = await call({ method: 'GET', path: url.href, answers: 'nothing' }).catch((error) => {
      throw error instanceof ExternalFault ? serviceUnavailable() : error;
    });
    if (status >= 400) throw serviceUnavailable();
  }

  return {
    isSuppressed: (email: string): Promise<boolean> => store.isSuppressed(canonicalAddress(email) ?? email),
    /**
     * Processes a report of a mail service; idempotent.
     * @throws invalidPayload, serviceUnavailable
     */
    async receive(body: unknown): Promise<{ received: number; suppressed: number }> {
      const sent = await receivedIn(body, clock.date(), verifySns);
      if ('confirmAt' in sent) {
        await confirm(sent.confirmAt);
        return { received: 0, suppressed: 0 };
      }
      let suppressed = 0;
      for (const one of sent.feedback) if (await take(one)) suppressed++;
      return { received: sent.feedback.length, suppressed };
    },
    pageOf: async (email: string | undefined, request: PageRequest): Promise<Page<Suppression>> =>
      store.pageOf(email === undefined ? undefined : (canonicalAddress(email) ?? email), request),
    /**
     * Removes the suppression of an address.
     * @throws suppressionNotFound
     */
    async remove(email: string, actor: Actor): Promise<Suppression> {
      return database.transaction(async (tx) => {
        const removed = await store.remove(tx, canonicalAddress(email) ?? email, clock.date());
        if (!removed) throw suppressionNotFound();
        const { id, kind, email: targetName } = removed;
        // The details name the address, so that its erasure finds the entry.
        const details = { kind, email: targetName };
        const entry = { action: 'mail.suppression-removed', target: id, targetName, details };
        await audit.record(tx, { ...actor, ...entry });
        return removed;
      });
    },
  };
}

export type SuppressionRules = ReturnType<typeof suppressionRules>;
