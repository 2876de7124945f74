import { integer, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of the ledger. */
export const walletSettings = {
  rememberedAccounts: integer(
    'LEDGER_REMEMBERED_ACCOUNTS',
    20_000,
    [0, 1_000_000],
    'Accounts whose newest entry each process keeps in memory, so that a transfer takes one statement; 0 posts all transfers under locks',
  ),
} satisfies Record<string, Setting<unknown>>;

export type WalletSettings = ValuesOf<typeof walletSettings>;
