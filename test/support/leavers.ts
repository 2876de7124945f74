import { deleteUser, listWithdrawals, settleWithdrawal } from '../../sdk/src/index.ts';
import { only } from '../../src/kernel/only.ts';
import type { startPlatform } from './platform.ts';

type Platform = Pick<Awaited<ReturnType<typeof startPlatform>>, 'admin' | 'newMemberWith'>;

/** Deletes a member with these Keys, whose payout fails then; returns the id, under which the closed wallet has them. */
export async function newLeaver({ admin, newMemberWith }: Platform, keys: number): Promise<string> {
  const { id: userId } = await newMemberWith(keys);
  await admin.call(deleteUser, { params: { userId }, body: { remainingKeys: 'withdraw' } });
  const { transactionId } = only((await admin.call(listWithdrawals, { query: { userId } })).data);
  const body = { outcome: 'failed' as const, reason: 'Refused by the bank' };
  await admin.call(settleWithdrawal, { params: { transactionId }, body });
  return userId;
}
