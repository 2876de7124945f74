import type { Area } from '../cases.ts';
import type { Body } from '../exchange.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'part 3, section 5';
const UNKNOWN_ID = 'ffffffffffffffffffffffff';
const reason = 'a check of conformance';

/** Returns the data of a list, each row of which has these fields. */
async function rows(trial: Trial, path: string, fields: Record<string, string>): Promise<Body[]> {
  const data: unknown = trial.accepted(await trial.get(trial.at.admin, path), 200);
  trial.ok(Array.isArray(data), `the data of ${path} is no list`);
  const list = data as Body[];
  for (const row of list.slice(0, 5)) trial.shape(row, fields);
  return list;
}

/** The latest transaction of a member. */
async function transactionOf(trial: Trial, userId: string): Promise<Body> {
  const path = `/v1/wallets/admin/transactions?userId=${userId}`;
  const [latest] = await rows(trial, path, { transactionId: 'string', type: 'string', amount: 'integer' });
  trial.ok(latest !== undefined, 'the transactions lack that of the member');
  return latest as Body;
}

export const administration: Area = {
  name: 'administration',
  cases: [
    {
      title: 'the search finds a member by id and address, and a transaction by its id',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const ada = await trial.at.newMemberWith(5);
        const { transactionId: transaction } = await transactionOf(trial, ada.id);
        for (const [q, type] of [
          [ada.id, 'user'],
          [ada.email, 'user'],
          [transaction, 'transaction'],
        ] as const) {
          const found = await rows(trial, `/v1/admin/search?q=${encodeURIComponent(q)}`, {
            id: 'string',
            title: 'string',
          });
          trial.ok(found.length <= 20, 'there are more than 20 results');
          trial.ok(
            found.some((one) => one.type === type),
            `no ${type} is found by ${q}`,
          );
        }
      },
    },
    {
      title: 'a member is shown with what they may enter, and in one overview',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const { id } = await trial.at.member('ada');
        const base = `/v1/admin/auth/users/${id}`;
        const access = await rows(trial, `${base}/access`, { platform: 'string', allowed: 'boolean' });
        const reasons = ['ok', 'no_sku', 'expired', 'inactive', 'throttled', 'unverified'];
        for (const one of access)
          trial.ok(reasons.includes(one.reason), `"reason" of ${one.platform} is ${one.reason}`);
        const overview = trial.accepted(await trial.get(trial.at.admin, `${base}/overview`), 200);
        trial.equal(overview.user.id, id, '"user.id"');
        for (const part of ['access', 'sessions', 'devices', 'grants', 'requests', 'rooms', 'reports'])
          trial.ok(overview[part] !== undefined, `the overview lacks "${part}"`);
        for (const path of ['access', 'overview'])
          trial.refused(await trial.get(trial.at.admin, `/v1/admin/auth/users/${UNKNOWN_ID}/${path}`), 404);
      },
    },
    {
      title: 'Keys are taken by a debit, and a transaction is reversed once',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const { admin } = trial.at;
        const ada = await trial.at.newMemberWith(10);
        const funding = await transactionOf(trial, ada.id);
        const detail = trial.accepted(
          await trial.get(admin, `/v1/wallets/admin/transactions/${funding.transactionId}`),
          200,
        );
        trial.equal([detail.transactionId, detail.amount], [funding.transactionId, 10], 'the transaction');
        const debit = (amount: unknown) =>
          trial.post(admin, '/v1/wallets/admin/debit', { userId: ada.id, amount, reason });
        trial.accepted(await debit(4), 201);
        trial.refused(await debit(7), 400, 'INSUFFICIENT_BALANCE');
        for (const amount of [0, -1, 1.5, '3'])
          trial.ok((await debit(amount)).status >= 400, `${amount} is taken`);
        const debitTransaction = await transactionOf(trial, ada.id);
        const reverse = `/v1/wallets/admin/transactions/${debitTransaction.transactionId}/reverse`;
        trial.accepted(await trial.post(admin, reverse, { reason }), 201);
        trial.refused(await trial.post(admin, reverse, { reason }), 409, 'ALREADY_REVERSED');
        const shown = trial.accepted(await trial.get(ada, '/v1/wallets/balance'), 200);
        trial.equal(shown.balance, 10, 'the balance');
        const wallet = trial.accepted(await trial.get(admin, `/v1/wallets/admin/${ada.id}`), 200);
        trial.equal(wallet.balance, 10, 'the balance that administrators see');
        const page = `/v1/wallets/admin/transactions?userId=${ada.id}&type=fund&summary=true`;
        const { body } = await trial.get(admin, page);
        trial.shape(body.meta.summary, { count: 'integer', keys: 'integer' });
        trial.refused(await trial.get(admin, '/v1/wallets/admin/transactions?nonsense=1'), 422);
      },
    },
    {
      title: 'a member who is muted everywhere cannot speak until the mute ends',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const { admin } = trial.at;
        const ada = await trial.at.newMember();
        const room = { name: `Conformance ${trial.at.run}`, type: 'private' };
        const { id } = trial.accepted(
          await trial.post(await trial.at.newMember(), '/v1/chatrooms', room),
          201,
        );
        const own = trial.accepted(await trial.post(ada, '/v1/chatrooms', room), 201);
        const path = `/v1/admin/auth/users/${ada.id}/mute`;
        for (const minutes of [0, 1.5, undefined])
          trial.refused(await trial.put(admin, path, { minutes, reason }), 422);
        const { mutedUntil } = trial.accepted(await trial.put(admin, path, { minutes: 5, reason }), 200);
        const leftMs = Date.parse(mutedUntil) - Date.now();
        trial.ok(leftMs > 4 * 60_000 && leftMs < 6 * 60_000, `the mute ends in ${leftMs} ms`);
        const say = () => trial.post(ada, `/v1/chatrooms/${own.id}/messages`, { message: 'Hello' });
        trial.refused(await say(), 403);
        trial.accepted(await trial.delete(admin, path, { reason }), 200);
        trial.accepted(await say(), 201);
        trial.refused(await trial.post(ada, `/v1/chatrooms/${id}/messages`, { message: 'Hello' }), 403);
        trial.refused(await trial.put(await trial.at.member('ben'), path, { minutes: 5, reason }), 403);
      },
    },
    {
      title: 'the session of a member is ended, and a new password offered',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const ada = await trial.at.newMember();
        const sessions = trial.accepted(await trial.get(ada, '/v1/auth/sessions'), 200);
        const base = `/v1/admin/auth/users/${ada.id}`;
        const ended = await trial.delete(trial.at.admin, `${base}/sessions/${sessions[0].id}`, { reason });
        trial.equal(trial.accepted(ended, 200).sessionsEnded, 1, '"sessionsEnded"');
        trial.refused(await trial.get(ada, '/v1/user/profile'), 401);
        trial.ok(
          (await trial.post(trial.at.admin, `${base}/password-reset`)).status === 202,
          'no mail is sent',
        );
        trial.refused(
          await trial.post(trial.at.admin, `/v1/admin/auth/users/${UNKNOWN_ID}/password-reset`),
          404,
        );
      },
    },
    {
      title: 'an API key is renamed and rolled, and the new one is shown once',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const { admin } = trial.at;
        const draft = { name: `Conformance ${trial.at.run}`, tier: 'crm' };
        const key = trial.accepted(await trial.post(admin, '/v1/admin/api-keys', draft), 201);
        const path = `/v1/admin/api-keys/${key.id}`;
        trial.at.onClose(admin, 'DELETE', path);
        const name = `${draft.name}, renamed`;
        trial.equal(trial.accepted(await trial.patch(admin, path, { name }), 200).name, name, '"name"');
        trial.refused(await trial.patch(admin, path, { name: '' }), 422);
        const rolled = trial.accepted(await trial.post(admin, `${path}/roll`, { overlapHours: 0 }), 201);
        trial.at.onClose(admin, 'DELETE', `/v1/admin/api-keys/${rolled.id}`);
        trial.ok(typeof rolled.key === 'string' && rolled.key !== key.key, 'there is no new key');
        const use = (key: string) => trial.get({ headers: { 'x-api-key': key } }, '/v1/user/profile');
        trial.equal((await use(key.key)).body.error, 'INVALID_API_KEY', 'the error of the old key');
        trial.ok((await use(rolled.key)).body.error !== 'INVALID_API_KEY', 'the new key is invalid');
        for (const overlapHours of [-1, 73, 1.5])
          trial.refused(await trial.post(admin, `${path}/roll`, { overlapHours }), 422);
        const listed = await rows(trial, '/v1/admin/api-keys?limit=100', {
          requestsToday: 'integer',
          rejectedToday: 'integer',
        });
        trial.ok(!JSON.stringify(listed).includes(rolled.key), 'the list has a key');
      },
    },
    {
      title: 'errors are summed up by code and by operation',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const [to, from] = [new Date(), new Date(Date.now() - 3_600_000)].map((at) => at.toISOString());
        for (const by of ['code', 'operation']) {
          const path = `/v1/admin/errors/summary?from=${from}&to=${to}&by=${by}`;
          await rows(trial, path, { count: 'integer', firstAt: 'instant', lastAt: 'instant' });
          const [row] = await rows(trial, `${path}&buckets=4`, { series: 'array' });
          if (row) trial.equal(row.series.length, 4, 'the number of buckets');
        }
        trial.refused(
          await trial.get(trial.at.admin, `/v1/admin/errors/summary?from=${from}&to=${to}&by=x`),
          422,
        );
        trial.refused(
          await trial.get(
            trial.at.admin,
            `/v1/admin/errors/summary?from=${from}&to=${to}&by=code&buckets=97`,
          ),
          422,
        );
        await rows(trial, '/v1/admin/errors', { errorId: 'string', timestamp: 'instant' });
      },
    },
    {
      title: 'work, health, connections and worklists are shown',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        await rows(trial, '/v1/admin/jobs', { queue: 'string', ready: 'integer', dead: 'integer' });
        await rows(trial, '/v1/admin/platforms', { platform: 'string', skus: 'array' });
        await rows(trial, '/v1/admin/live/connections', { id: 'string' });
        await rows(trial, '/v1/wallets/admin/withdrawals', { status: 'string' });
        await rows(trial, '/v1/admin/checkouts', { id: 'string', status: 'string' });
        await rows(trial, '/v1/streams/scanners/access', { id: 'string', status: 'string' });
        for (const path of ['live', 'health', 'overview', 'audit/actions'])
          trial.accepted(await trial.get(trial.at.admin, `/v1/admin/${path}`), 200);
        // The ledger may not have been verified yet.
        const { status } = await trial.get(trial.at.admin, '/v1/admin/ledger/verification');
        trial.ok([200, 404].includes(status), `the verification of the ledger is ${status}`);
        const { body } = await trial.get(trial.at.admin, '/v1/admin/overview?nonsense=1');
        trial.equal(body.status, 422, 'the status with an unknown parameter');
        for (const path of [`checkouts/${UNKNOWN_ID}`, 'jobs/unknown/dead'])
          trial.refused(await trial.get(trial.at.admin, `/v1/admin/${path}`), 404);
      },
    },
    {
      title: 'users are listed by filters, made, changed, and deleted after a rehearsal',
      section: `${SECTION}; part 1, "Users"`,
      needs: ['administrator'],
      run: async (trial) => {
        const { admin } = trial.at;
        const email = trial.at.newEmail();
        const draft = {
          email,
          password: `a long password of ${trial.at.run}`,
          firstName: 'Conformance',
          lastName: 'Made',
        };
        const user = trial.accepted(await trial.post(admin, '/v1/admin/auth/users', draft), 201);
        const id = user.id ?? user.user?.id;
        const path = `/v1/admin/auth/users/${id}`;
        trial.at.onClose(admin, 'DELETE', path);
        const shown = trial.accepted(await trial.get(admin, path), 200);
        trial.equal([shown.id, shown.email], [id, email], 'the user');
        trial.ok(!JSON.stringify(shown).includes('assword"'), 'the user has a password');
        const found = await rows(trial, '/v1/admin/auth/users?sort=newest&limit=5', { email: 'string' });
        trial.ok(found.length > 0 && found.length <= 5, 'the list has another length');
        for (const query of ['nonsense=1', 'createdFrom=yesterday'])
          trial.refused(await trial.get(admin, `/v1/admin/auth/users?${query}`), 422);
        trial.accepted(await trial.delete(admin, `${path}?dryRun=true`, { reason }), 200);
        trial.accepted(await trial.get(admin, path), 200);
        trial.accepted(await trial.delete(admin, path, { reason }), 200);
        trial.refused(await trial.get(admin, path), 404);
      },
    },
  ],
};
