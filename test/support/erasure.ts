// Members who leave, and whose erasure is waited for.
import { deleteOwnAccount, signUp } from '../../sdk/src/index.ts';
import { type Client, PASSWORD } from './client.ts';
import { until } from './live.ts';
import type { startPlatform } from './platform.ts';

type Platform = Pick<Awaited<ReturnType<typeof startPlatform>>, 'client' | 'database'>;

export function erasureTools({ client, database }: Platform) {
  async function signedUp(email: string, names: { firstName: string; lastName: string }) {
    const { data } = await client.call(signUp, {
      body: { email, password: PASSWORD, platform: 'web', ...names },
    });
    return { client: client.as(data.accessToken), id: data.user.id, email };
  }

  /** Deletes the account of a member, and waits until the first round of the erasure is over. */
  async function leave(member: { client: Client }): Promise<void> {
    await member.client.call(deleteOwnAccount, { body: { password: PASSWORD, remainingKeys: 'forfeit' } });
    await until(
      async () =>
        (await database.count(
          `select count(*) from jobs.job where name = 'identity.erase-records' and state = 'completed'`,
        )) > 0,
      'the erasure',
      60_000,
    );
    await database.execute(
      `delete from jobs.job where name = 'identity.erase-records' and state = 'completed'`,
    );
  }
  return { signedUp, leave };
}
