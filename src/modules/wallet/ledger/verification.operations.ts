import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { accepted, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { VerificationRequested, VerificationShape } from './verification.schemas.ts';
import { neverVerified, type VerificationRules } from './verification.ts';

const tag = 'Ledger';
const path = '/v1/admin/ledger/verification';

export const verificationOperations = (verification: VerificationRules): Operation[] => [
  operation({
    method: 'GET',
    path,
    id: 'getLedgerVerification',
    tag,
    summary: 'Retrieve the result of the latest verification of the ledger',
    access: administrator,
    success: ok(VerificationShape),
    failures: [neverVerified],
    handle: () => verification.latest(),
  }),
  operation({
    method: 'POST',
    path,
    id: 'verifyLedger',
    tag,
    summary: 'Verify the whole ledger now, in the background',
    access: administrator,
    success: accepted(VerificationRequested, { message: 'The verification begins' }),
    handle: ({ caller, facts }) => verification.request(actorOf(caller, facts)),
  }),
];
