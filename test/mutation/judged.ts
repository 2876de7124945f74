import { JUDGED_STATEMENTS } from './judged-statements.ts';
import type { Judged } from './mutant.ts';

export const JUDGED: readonly Judged[] = [
  ...JUDGED_STATEMENTS,
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
    was: 'email === undefined ? undefined : identity.contactByEmail(email),',
    becomes: 'false ? undefined : identity.contactByEmail(email),',
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
  {
    file: 'src/modules/indicators/access/access.transitions.ts',
    was: 'SOURCES.indexOf(right) > SOURCES.indexOf(left) ? right : left;',
    becomes: 'SOURCES.indexOf(right) >= SOURCES.indexOf(left) ? right : left;',
    reason: 'Equal sources are the same.',
  },
  {
    file: 'src/modules/indicators/access/access.transitions.ts',
    was: 'handle: spelling ?? grant.handle,',
    becomes: 'handle: spelling,',
    reason: 'A pending grant without a spelling is resolved first; the other side satisfies the types.',
  },
  {
    file: 'src/modules/indicators/access/conclusions.ts',
    was: 'const dueAt = new Date(Math.max(next, grant.leasedUntil?.getTime() ?? 0));',
    becomes: 'const dueAt = new Date(Math.max(next, grant.leasedUntil?.getTime() ?? 1));',
    reason: 'Either is earlier than any time at which a call is made.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: 'locked.length === 0 ? [] : tx.all(read, [locked.map(({ id }) => id)]);',
    becomes: 'false ? [] : tx.all(read, [locked.map(({ id }) => id)]);',
    reason: 'Without ids the statement finds nothing; the condition saves the question.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: 'if (keys.length === 0) return grant;',
    becomes: 'if (false) return grant;',
    reason: 'Without keys nothing is locked, and the same grant is read again.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: 'if (grants.length === 0) return;',
    becomes: 'if (false) return;',
    reason: 'Without grants the statement writes nothing; the condition saves the statement.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: 'if (grants.length === 0) return;',
    becomes: 'if (grants.length === 0) ;',
    reason: 'Without grants the statement writes nothing; the condition saves the statement.',
  },
  {
    file: 'src/modules/indicators/access/settling.ts',
    was: 'if (isUnderWay(after)) return;',
    becomes: 'if (false) return;',
    reason: 'While a grant is under way, no news of its member are taken, and it has not failed.',
  },
  {
    file: 'src/modules/indicators/access/settling.ts',
    was: 'if (isUnderWay(after)) return;',
    becomes: 'if (isUnderWay(after)) ;',
    reason: 'While a grant is under way, no news of its member are taken, and it has not failed.',
  },
  {
    file: 'src/gateway/authentication.ts',
    was: 'const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];',
    becomes: 'const token = false ? undefined : BEARER.exec(authorization)?.[1];',
    reason: 'A missing header does not match the pattern; the condition satisfies the types.',
  },
  {
    file: 'src/gateway/authentication.ts',
    was: "const given = BASIC.exec(headers.authorization ?? '')?.[1];",
    becomes: 'const given = BASIC.exec(headers.authorization)?.[1];',
    reason: 'A missing header does not match the pattern; the other side satisfies the types.',
  },
  {
    file: 'src/gateway/authentication.ts',
    was: 'key === undefined ? undefined : keys.identify(String(key)),',
    becomes: 'false ? undefined : keys.identify(String(key)),',
    reason: 'A missing key is unknown, and its failure is replaced; the condition saves the question.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: '`select least((select min(due_at) from indicators.access where priority = 1 and due_at is not null),',
    becomes: '`select least((select min(due_at) from indicators.access where priority = 1 ),',
    reason: 'The least time passes over missing ones; the condition lets an index serve.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: '`select least((select min(due_at) from indicators.access where priority = 1 and due_at is not null),',
    becomes:
      '`select least((select min(due_at) from indicators.access where priority = 1 or due_at is not null),',
    reason: 'The earlier of both times is the same.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: '(select min(due_at) from indicators.access where priority = 0 and due_at is not null)) as at`,',
    becomes: '(select min(due_at) from indicators.access where priority = 0 )) as at`,',
    reason: 'The least time passes over missing ones; the condition lets an index serve.',
  },
  {
    file: 'src/modules/indicators/access/access.store.ts',
    was: '(select min(due_at) from indicators.access where priority = 0 and due_at is not null)) as at`,',
    becomes: '(select min(due_at) from indicators.access where priority = 0 or due_at is not null)) as at`,',
    reason: 'The earlier of both times is the same.',
  },
  {
    file: 'src/modules/wallet/ledger/ledger-hashes.ts',
    was: "const fields = [id, type, fromUserId ?? '', toUserId ?? '', amount, at.getTime(), metadata, description];",
    becomes:
      "const fields = [id, type, fromUserId, toUserId ?? '', amount, at.getTime(), metadata, description];",
    reason: 'Joined to one text, a missing value and an empty one are the same.',
  },
  {
    file: 'src/modules/wallet/ledger/ledger-hashes.ts',
    was: "const fields = [id, type, fromUserId ?? '', toUserId ?? '', amount, at.getTime(), metadata, description];",
    becomes:
      "const fields = [id, type, fromUserId ?? '', toUserId, amount, at.getTime(), metadata, description];",
    reason: 'Joined to one text, a missing value and an empty one are the same.',
  },
  {
    file: 'src/modules/identity/accounts/accounts.ts',
    was: 'if (!isTrial) await publishChange(userId);',
    becomes: 'if (true) await publishChange(userId);',
    reason: 'Processes that are told of a change which did not happen read the same again.',
  },
  {
    file: 'src/modules/wallet/ledger/verification.ts',
    was: "await tx.lock('wallet.proven-heads');",
    becomes: ';',
    reason: 'Two proofs of one moment write the same rows in one order, and of each row the newer one stays.',
  },
  {
    file: 'src/modules/wallet/corrections/reversals.ts',
    was: 'if (id === undefined) throw transactionNotFound();',
    becomes: 'if (id === undefined) ;',
    reason: 'Without an id no transaction is found either; the condition satisfies the types.',
  },
  {
    file: 'src/modules/wallet/corrections/reversals.ts',
    was: 'if (id === undefined) throw transactionNotFound();',
    becomes: 'if (false) throw transactionNotFound();',
    reason: 'Without an id no transaction is found either; the condition satisfies the types.',
  },
  {
    file: 'src/modules/wallet/ledger/verification.ts',
    was: 'if (verification.faults.length === 0) await provenHeadStore.prove(tx, id);',
    becomes: 'if (true) await provenHeadStore.prove(tx, id);',
    reason: 'After a fault no heads were noted, so that there is nothing to prove.',
  },
  {
    file: 'src/modules/wallet/ledger/verification.ts',
    was: '...(sinceTransactions === undefined ? {} : { sinceTransactions }),',
    becomes: '...(false ? {} : { sinceTransactions }),',
    reason: 'A number that is undefined counts as missing; the condition satisfies the types.',
  },
  ...[';', 'if (false) throw moved;'].map((becomes) => ({
    file: 'src/modules/wallet/ledger/ledger.ts',
    was: 'if (moved instanceof Failure) throw moved;',
    becomes: becomes === ';' ? 'if (moved instanceof Failure) ;' : becomes,
    reason: 'A hold has the Keys of its withdrawals; if it had not, the entry could not be written either.',
  })),
  ...[
    'checkout = ofSession.get(sessionOf(transaction)',
    'payout = ofReference.get(payoutOf(transaction)',
  ].map((found) => ({
    file: 'src/modules/wallet/administration/all-transactions.ts',
    was: `const ${found} ?? '');`,
    becomes: `const ${found});`,
    reason: 'Neither a missing nor an empty key is known; the other side satisfies the types.',
  })),
  {
    file: 'src/modules/wallet/ledger/ledger.faults.ts',
    was: "error instanceof AlreadyProcessed || error instanceof Failure || /^(23|P0)/.test(codeOf(error) ?? '');",
    becomes:
      'error instanceof AlreadyProcessed || error instanceof Failure || /^(23|P0)/.test(codeOf(error));',
    reason: 'A missing code does not match the pattern; the other side satisfies the types.',
  },
  {
    file: 'src/modules/wallet/purchases/reversing.ts',
    was: "const disputeId = cause.kind === 'refund' ? undefined : cause.disputeId;",
    becomes: 'const disputeId = false ? undefined : cause.disputeId;',
    reason: 'A refund names no dispute; the condition satisfies the types.',
  },
  {
    file: 'src/modules/merchant/payout-states.ts',
    was: "return settle(tx, payout, { outcome: ending, reason: payout.reason ?? '', decision: decided });",
    becomes: 'return settle(tx, payout, { outcome: ending, reason: payout.reason, decision: decided });',
    reason: 'Every decision is stored with its reason; the other side satisfies the types.',
  },
  {
    file: 'src/modules/indicators/access/observations.ts',
    was: 'return { ...grant, entries: (await store.find(grant.id, tx))?.entries ?? [] };',
    becomes: 'return { ...grant, entries: (await store.find(grant.id, tx))?.entries };',
    reason: 'The grant is locked, so that it is found; the other side satisfies the types.',
  },
  ...[
    "const enrolledMeanwhile = failure(409, 'ALREADY_ENROLLED', 'You are already enrolled');",
    "const enrolledBefore = failure(409, 'ENROLLED_BEFORE', 'You have been enrolled before');",
    "const ownerChanged = failure(409, 'COURSE_OWNER_CHANGED', 'The course has another owner now');",
  ].map((was) => ({
    file: 'src/modules/education/enrolments/enrolling.ts',
    was,
    becomes: was.replace('409', '410'),
    reason: 'The rules answer it themselves, so that nobody sees its status.',
  })),
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
  ...[
    ['if (token.length > TOKEN_MAX_LENGTH) throw invalidToken();', 'if (false) throw invalidToken();'],
    ['if (token.length > TOKEN_MAX_LENGTH) throw invalidToken();', 'if (token.length > TOKEN_MAX_LENGTH) ;'],
    [
      'if (token.length > TOKEN_MAX_LENGTH) throw invalidToken();',
      'if (token.length >= TOKEN_MAX_LENGTH) throw invalidToken();',
    ],
    ['const TOKEN_MAX_LENGTH = 2_048;', 'const TOKEN_MAX_LENGTH = 2049;'],
  ].map(([was = '', becomes = '']) => ({
    file: 'src/modules/identity/sessions/access-tokens.ts',
    was,
    becomes,
    reason: 'A token of that length is none of ours and refused alike; the condition saves the check.',
  })),
  {
    file: 'src/gateway/keys/api-keys.ts',
    was: 'const KEY_MAX_LENGTH = 256;',
    becomes: 'const KEY_MAX_LENGTH = 257;',
    reason: 'A key of that length is unknown and refused alike; the condition saves the question.',
  },
];
