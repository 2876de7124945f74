// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import type * as wire from '../wire.ts';

/** Retrieve the result of the latest verification of the ledger. `GET /v1/admin/ledger/verification` For administrator. */
export const getLedgerVerification: Operation<{
  data: wire.LedgerVerification;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'NOT_FOUND';
}> = {
  id: 'getLedgerVerification',
  method: 'GET',
  path: '/v1/admin/ledger/verification',
};

/** Verify the whole ledger now, in the background. `POST /v1/admin/ledger/verification` For administrator. */
export const verifyLedger: Operation<{
  body: wire.ReasonBody;
  data: wire.VerifyLedgerResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN';
}> = {
  id: 'verifyLedger',
  method: 'POST',
  path: '/v1/admin/ledger/verification',
};
