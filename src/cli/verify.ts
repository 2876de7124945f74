import type { Platform } from '../app/platform.ts';

/** `verify`: prints the state of the ledger; sets exit code 1 when an invariant is violated. */
export async function verifyCommand({ wallet }: Platform): Promise<void> {
  const { entries, transactions, issued, inCirculation, head, faults } = await wallet.verify();
  console.log(`${transactions} transactions, ${entries} entries, ${inCirculation} Keys in circulation`);
  console.log(`${issued} Keys issued, those that were paid out included`);
  console.log(`head ${head}`);
  for (const { invariant, at } of faults) console.log(`BROKEN: ${invariant} (${at.join('; ')})`);
  console.log(faults.length === 0 ? 'The ledger is sound.' : 'THE LEDGER IS NOT SOUND.');
  if (faults.length > 0) process.exitCode = 1;
}
