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
