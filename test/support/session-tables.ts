import { after } from 'node:test';
import { openDatabase } from '../../src/kernel/database/database.ts';
import type { Transaction } from '../../src/kernel/database/queries.ts';
import { idMaker, type ObjectId } from '../../src/kernel/ids.ts';
import { DAY_MS, systemClock } from '../../src/kernel/time/time.ts';
import type {
  RefreshToken,
  Session,
  SessionTarget,
} from '../../src/modules/identity/sessions/sessions.model.ts';
import { sessionStore } from '../../src/modules/identity/sessions/sessions.store.ts';
import { newDatabase } from './databases.ts';

const newId = idMaker(systemClock);
/** The instant at which the tests of sessions act, and others so many milliseconds after it. */
export const AT = new Date();
export const at = (ms: number): Date => new Date(AT.getTime() + ms);

let digests = 0;
/** A new refresh token. */
export const tokenOf = (generation = 1): RefreshToken => ({
  digest: Buffer.from(`digest ${++digests}`),
  generation,
  at: AT,
  expiresAt: at(DAY_MS),
});
/** A session that is not stored yet. */
export const sessionOf = (userId: ObjectId, fields: Partial<Session> = {}): Session => ({
  id: newId(),
  userId,
  platform: 'web',
  device: 'unnamed',
  deviceId: null,
  userAgent: 'a browser',
  address: '192.0.2.1',
  method: 'password',
  createdAt: AT,
  ...fields,
});

/** The tables of users and sessions in a database of this test file, without a platform around them. */
export async function sessionTables() {
  const { url, drop } = await newDatabase();
  const database = openDatabase({ url, connections: 3, onBackgroundError: () => undefined });
  after(async () => {
    await database.close();
    await drop();
  });
  const store = sessionStore(database);
  const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
  const open = (session: Session, parentId?: ObjectId, token = tokenOf()): Promise<boolean> =>
    within((tx) => store.open(tx, session, token, parentId));

  return {
    database,
    store,
    newId,
    within,
    /** Creates a user, with these columns. */
    async newUser(fields: Record<string, unknown> = {}): Promise<ObjectId> {
      const id = newId();
      await database.insert('identity.user', {
        id,
        email: `${id}@example.com`,
        username: id,
        firstName: 'Ada',
        lastName: 'Member',
        createdAt: AT,
        updatedAt: AT,
      });
      for (const [column, value] of Object.entries(fields))
        await database.execute(`update identity.user set ${column} = $2 where id = $1`, [id, value]);
      return id;
    },
    open,
    /** Opens a session with these fields; returns its id. */
    async opened(userId: ObjectId, fields: Partial<Session> = {}, parentId?: ObjectId): Promise<ObjectId> {
      const session = sessionOf(userId, fields);
      await open(session, parentId);
      return session.id;
    },
    end: (userId: ObjectId, target: SessionTarget, reason = 'signed out') =>
      store.end(database, userId, target, { reason, at: AT }),
    isEnded: async (id: ObjectId) => (await store.findAll([id]))[0]?.isEnded,
    async addPasskey(userId: ObjectId, counter = 5): Promise<ObjectId> {
      const id = newId();
      await database.execute(
        `insert into identity.passkey (id, user_id, credential_id, public_key, counter, name, transports, backed_up,
           created_at) values ($1::text, $2, $1::text, '', $3, 'A key', '{}', false, $4)`,
        [id, userId, counter, AT],
      );
      return id;
    },
  };
}
