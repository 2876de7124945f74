import type { Judged } from './mutant.ts';

type Change = [was: string, becomes: string];
const judge = (reason: string, files: Record<string, Change[]>): Judged[] =>
  Object.entries(files).flatMap(([file, changes]) =>
    changes.map(([was, becomes]) => ({ file, was, becomes, reason })),
  );

/** Mutants of statements that change how rows are found, but not which. */
export const JUDGED_STATEMENTS: readonly Judged[] = [
  ...judge('It only lets an index serve; another condition decides.', {
    'src/modules/wallet/administration/all-transactions.store.ts': [
      ['const LARGE_AMOUNT = 1_000;', 'const LARGE_AMOUNT = 1001;'],
      [
        `and e.seq > wallet.seq_at(a.id, a.last_seq, t.created_at - interval '1 microsecond')
and e.seq <= wallet.seq_at(a.id, a.last_seq, t.created_at)`,
        'and e.seq <= wallet.seq_at(a.id, a.last_seq, t.created_at)',
      ],
      [
        "and e.seq > wallet.seq_at(a.id, a.last_seq, t.created_at - interval '1 microsecond')",
        "and e.seq >= wallet.seq_at(a.id, a.last_seq, t.created_at - interval '1 microsecond')",
      ],
      [
        `and e.seq <= wallet.seq_at(a.id, a.last_seq, t.created_at)
where a.name = 'wallet:' || t.\${user} limit 1)\`;`,
        `where a.name = 'wallet:' || t.\${user} limit 1)\`;`,
      ],
      [
        `if (type !== undefined && type !== 'transfer') conditions.push("t.type <> 'transfer'");`,
        `if (false) conditions.push("t.type <> 'transfer'");`,
      ],
      [
        `if (type !== undefined && type !== 'transfer') conditions.push("t.type <> 'transfer'");`,
        "if (type !== undefined && type !== 'transfer') ;",
      ],
      [
        `if (status !== undefined && status !== 'completed') conditions.push("t.type = 'withdrawal'");`,
        `if (false) conditions.push("t.type = 'withdrawal'");`,
      ],
      [
        `if (status !== undefined && status !== 'completed') conditions.push("t.type = 'withdrawal'");`,
        "if (status !== undefined && status !== 'completed') ;",
      ],
      [
        `if (minAmount !== undefined && minAmount >= LARGE_AMOUNT) conditions.push(\`t.amount >= \${LARGE_AMOUNT}\`);`,
        `if (false) conditions.push(\`t.amount >= \${LARGE_AMOUNT}\`);`,
      ],
      [
        `if (minAmount !== undefined && minAmount >= LARGE_AMOUNT) conditions.push(\`t.amount >= \${LARGE_AMOUNT}\`);`,
        `if (minAmount !== undefined && minAmount > LARGE_AMOUNT) conditions.push(\`t.amount >= \${LARGE_AMOUNT}\`);`,
      ],
      [
        `if (minAmount !== undefined && minAmount >= LARGE_AMOUNT) conditions.push(\`t.amount >= \${LARGE_AMOUNT}\`);`,
        'if (minAmount !== undefined && minAmount >= LARGE_AMOUNT) ;',
      ],
      [
        `conditions.push("t.type <> 'transfer' and t.metadata ->> 'checkoutSessionId' is not null");`,
        `conditions.push("t.type <> 'transfer' ");`,
      ],
      [`add((id) => \`t.id >= \${id}\`, lowestIdAt(new Date(from.getTime() - ID_SLACK_MS)));`, ';'],
      [`add((id) => \`t.id <= \${id}\`, highestIdAt(new Date(to.getTime() + ID_SLACK_MS)));`, ';'],
      [
        `if (type !== undefined) add((word) => \`e.type = \${word}\`, type);`,
        `if (false) add((word) => \`e.type = \${word}\`, type);`,
      ],
      [`if (type !== undefined) add((word) => \`e.type = \${word}\`, type);`, 'if (type !== undefined) ;'],
      [
        `if (type !== undefined && type !== 'transfer') conditions.push("e.type <> 'transfer'");`,
        `if (false) conditions.push("e.type <> 'transfer'");`,
      ],
      [
        `if (type !== undefined && type !== 'transfer') conditions.push("e.type <> 'transfer'");`,
        "if (type !== undefined && type !== 'transfer') ;",
      ],
      [
        `if (minAmount !== undefined) add((keys) => \`abs(e.amount) >= \${keys}\`, minAmount);`,
        `if (false) add((keys) => \`abs(e.amount) >= \${keys}\`, minAmount);`,
      ],
      [
        `if (minAmount !== undefined) add((keys) => \`abs(e.amount) >= \${keys}\`, minAmount);`,
        'if (minAmount !== undefined) ;',
      ],
    ],
    'src/modules/wallet/history/transactions.store.ts': [
      [
        `and seq > wallet.seq_at(account.id, last_seq, transaction.created_at - interval '1 microsecond')
and seq <= wallet.seq_at(account.id, last_seq, transaction.created_at)`,
        'and seq <= wallet.seq_at(account.id, last_seq, transaction.created_at)',
      ],
      [
        "and seq > wallet.seq_at(account.id, last_seq, transaction.created_at - interval '1 microsecond')",
        "and seq >= wallet.seq_at(account.id, last_seq, transaction.created_at - interval '1 microsecond')",
      ],
      [
        `and seq <= wallet.seq_at(account.id, last_seq, transaction.created_at)
where transaction.id = $2\`;`,
        `where transaction.id = $2\`;`,
      ],
    ],
    'src/modules/chat/messages.store.ts': [
      [
        'where user_id = $1 and id >= $2 and created_at >= $3 and deleted_at is null',
        'where user_id = $1 and created_at >= $3 and deleted_at is null',
      ],
      [
        'where user_id = $1 and id >= $2 and created_at >= $3 and deleted_at is null',
        'where user_id = $1 and id > $2 and created_at >= $3 and deleted_at is null',
      ],
    ],
    'src/modules/wallet/withdrawals/withdrawals.store.ts': [
      [
        `and ($3::timestamptz is null or (id <= $4 and created_at < $3))\`;`,
        `and ($3::timestamptz is null or (id < $4 and created_at < $3))\`;`,
      ],
    ],
    'src/modules/merchant/checkouts.store.ts': [
      [
        'and ($3::timestamptz is null or (id >= $4 and created_at >= $3))',
        'and ($3::timestamptz is null or (id > $4 and created_at >= $3))',
      ],
      [
        `and ($5::timestamptz is null or (id <= $6 and created_at <= $5))\`;`,
        `and ($5::timestamptz is null or (id < $6 and created_at <= $5))\`;`,
      ],
    ],
  }),
  ...judge('A transaction has one entry in a wallet.', {
    'src/modules/wallet/administration/all-transactions.store.ts': [
      [
        `where a.name = 'wallet:' || t.\${user} limit 1)\`;`,
        `where a.name = 'wallet:' || t.\${user} limit 2)\`;`,
      ],
    ],
  }),
  ...judge('Beyond the range the statement finds nothing; the condition saves the question.', {
    'src/modules/wallet/history/transactions.store.ts': [
      [
        'case when upto - $4 > before then wallet.transfer_at($1, $3, upto - $4) else 0 end as newest',
        'case when upto - $4 >= before then wallet.transfer_at($1, $3, upto - $4) else 0 end as newest',
      ],
      [
        'newest <= after ? [] : rowsOf(page, [accountId, after, newest, transfersOnly, completedOnly, limit]);',
        'false ? [] : rowsOf(page, [accountId, after, newest, transfersOnly, completedOnly, limit]);',
      ],
      [
        'newest <= after ? [] : rowsOf(page, [accountId, after, newest, transfersOnly, completedOnly, limit]);',
        'newest < after ? [] : rowsOf(page, [accountId, after, newest, transfersOnly, completedOnly, limit]);',
      ],
      [
        'newest <= after ? [] : await rowsOf(pageOfType, [accountId, type, after, newest, request.limit]);',
        'false ? [] : await rowsOf(pageOfType, [accountId, type, after, newest, request.limit]);',
      ],
      [
        'newest <= after ? [] : await rowsOf(pageOfType, [accountId, type, after, newest, request.limit]);',
        'newest < after ? [] : await rowsOf(pageOfType, [accountId, type, after, newest, request.limit]);',
      ],
    ],
  }),
  ...judge('Only the total of that page is read.', {
    'src/modules/wallet/history/transactions.store.ts': [
      [
        'pageOfRange(range, filter, { page: 1, limit: 1 }),',
        'pageOfRange(range, filter, { page: 2, limit: 1 }),',
      ],
      [
        'pageOfRange(range, filter, { page: 1, limit: 1 }),',
        'pageOfRange(range, filter, { page: 1, limit: 2 }),',
      ],
    ],
  }),
  ...judge('A shortcut for the most frequent list; the general way finds the same.', {
    'src/modules/wallet/history/transactions.store.ts': [
      [
        'if (before === undefined && isWhole) return pageOfEverything(userId, request);',
        'if (false) return pageOfEverything(userId, request);',
      ],
    ],
  }),
  ...judge('A last portion without entries adds nothing.', {
    'src/modules/wallet/history/statements.store.ts': [
      [
        'for (let seq = after; seq < upTo; seq += STATEMENT_CHUNK) {',
        'for (let seq = after; seq <= upTo; seq += STATEMENT_CHUNK) {',
      ],
    ],
  }),
];
