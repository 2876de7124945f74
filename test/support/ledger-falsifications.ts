/**
 * SQL that selects the newest or the oldest entry of an account, or transaction of the ledger, of each type.
 * @param accountId SQL of the id of the account
 */
export const ledgerPlaces = (accountId: string, order: 'asc' | 'desc') => {
  const [extreme, entryOf] = [
    order === 'asc' ? 'min' : 'max',
    (type: string) =>
      `(account_id, seq) = (select account_id, seq from wallet.entry where account_id = ${accountId} and type = '${type}'
         order by seq ${order} limit 1)`,
  ];
  const idOf = (condition: string) => `(select ${extreme}(id) from wallet.transaction where ${condition})`;
  return {
    transfer: entryOf('transfer'),
    withdrawal: entryOf('withdrawal'),
    transferId: idOf(`type = 'transfer'`),
    completed: idOf(`type = 'withdrawal' and status = 'completed'`),
    pending: idOf(`type = 'withdrawal' and status = 'pending'`),
    purchase: `transaction_id = (select ${extreme}(transaction_id) from wallet.purchase)`,
  };
};
type Places = ReturnType<typeof ledgerPlaces>;

/**
 * What somebody with full access could falsify of one entry or transaction, with the words of the invariants that it
 * breaks: of the whole ledger and, where they differ, of what is beyond the proven heads.
 */
export const FALSIFICATIONS: Record<string, [of: (places: Places) => string, whole: string, fresh?: string]> =
  {
    'the amount of an entry': [
      ({ transfer }) => `update wallet.entry set amount = amount + 1 where ${transfer}`,
      'sum rows account chain hash',
    ],
    'the balance before an entry': [
      ({ transfer }) => `update wallet.entry set balance_before = balance_before + 1 where ${transfer}`,
      'chain hash',
    ],
    'the balance after an entry': [
      ({ transfer }) => `update wallet.entry set balance_after = balance_after + 1 where ${transfer}`,
      'chain hash',
    ],
    'what came in until an entry': [
      ({ transfer }) => `update wallet.entry set received = received + 1 where ${transfer}`,
      'chain hash',
    ],
    'the time of an entry': [
      ({ transfer }) =>
        `update wallet.entry set created_at = created_at - interval '1 year' where ${transfer}`,
      'chain hash',
    ],
    'the hash of an entry': [
      ({ transfer }) => `update wallet.entry set hash = sha256(hash) where ${transfer}`,
      'hash',
    ],
    'the type of an entry': [
      ({ transfer }) => `update wallet.entry set type = 'refund' where ${transfer}`,
      'rows numbers',
    ],
    'the number of a withdrawal': [
      ({ withdrawal }) => `update wallet.entry set type_seq = type_seq + 1 where ${withdrawal}`,
      'numbers',
    ],
    'the number of an entry that is no transfer': [
      ({ withdrawal }) => `update wallet.entry set other_seq = other_seq + 1 where ${withdrawal}`,
      'numbers',
    ],
    'the sum until a withdrawal': [
      ({ withdrawal }) => `update wallet.entry set type_sum = type_sum + 1 where ${withdrawal}`,
      'numbers',
    ],
    'a number on a transfer': [
      ({ transfer }) => `update wallet.entry set type_seq = 1 where ${transfer}`,
      'numbers',
    ],
    'the type of a transfer': [
      ({ transferId }) => `update wallet.transaction set type = 'refund' where id = ${transferId}`,
      'rows hash',
    ],
    'a transfer without its entries': [
      ({ transferId }) => `delete from wallet.entry where transaction_id = ${transferId}`,
      'rows account chain hash',
      'account chain hash',
    ],
    'entries without their transfer': [
      ({ transferId }) => `delete from wallet.transaction where id = ${transferId}`,
      'rows hash',
    ],
    'one of the entries of a transfer': [
      ({ transferId }) => `delete from wallet.entry where transaction_id = ${transferId} and amount > 0`,
      'sum account chain hash',
    ],
    'the Keys of a purchase': [
      ({ purchase }) => `update wallet.purchase set keys = keys + 1 where ${purchase}`,
      'purchase',
      '',
    ],
    'a completed withdrawal that failed': [
      ({ completed }) => `update wallet.transaction set status = 'failed' where id = ${completed}`,
      'circulation',
      '',
    ],
  };
