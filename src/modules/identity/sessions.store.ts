import { addressGroup } from '../../kernel/addresses.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Platform } from './platforms.ts';

/** Of one user, when asking where they have been. */
const MAX_SESSIONS_COMPARED = 1_000;

export interface Session {
  id: ObjectId;
  userId: ObjectId;
  platform: Platform;
  device: string;
  deviceId: string | null;
  userAgent: string;
  address: string;
  createdAt: Date;
}

/** A living session, as its owner and administrators see it. */
export interface SessionView extends Omit<Session, 'userId'> {
  lastUsedAt: Date;
}

/** Which of a user's sessions: all, those of a platform, of a device, one alone; or all but one. */
export interface SessionTarget {
  platform?: Platform;
  device?: string;
  sessionId?: ObjectId;
  except?: ObjectId;
}

/** A session with its user as they are now. */
export interface KnownSession {
  sessionId: ObjectId;
  userId: ObjectId;
  email: string;
  permissions: string[];
  isActive: boolean;
  isEnded: boolean;
}

/** A refresh token that somebody showed, with its session locked. */
export interface ShownToken {
  sessionId: ObjectId;
  userId: ObjectId;
  isActive: boolean;
  isEnded: boolean;
  generation: number;
  newestGeneration: number;
  expiresAt: Date;
  usedAt: Date | null;
}

/** Whether it has ended is read, not asked for: else a table without statistics is read through the wrong index. */
const sessionsById = statement<KnownSession>(
  'identity.sessions-by-id',
  `select s.id as "sessionId", s.user_id as "userId", u.email, u.permissions, u.is_active as "isActive",
     s.ended_at is not null as "isEnded"
   from identity.session s join identity.user u on u.id = s.user_id
   where s.id = any($1)`,
);

/** The lock makes refreshes of one session, and a refresh and a sign-out, follow one another. */
const lockSessionOfToken = statement<never>(
  'identity.lock-session-of-token',
  `select 1 from identity.session
   where id = (select session_id from identity.refresh_token where digest = $1)
   for no key update`,
);

const shownToken = statement<ShownToken>(
  'identity.shown-token',
  `select s.id as "sessionId", s.user_id as "userId", u.is_active as "isActive", s.ended_at is not null as "isEnded",
     t.generation, t.expires_at as "expiresAt", t.used_at as "usedAt",
     (select max(generation) from identity.refresh_token where session_id = s.id) as "newestGeneration"
   from identity.refresh_token t
   join identity.session s on s.id = t.session_id
   join identity.user u on u.id = s.user_id
   where t.digest = $1`,
);

export function sessionStore(database: Database) {
  return {
    /** One answer for each id, in order. */
    async findAll(ids: ObjectId[]): Promise<(KnownSession | undefined)[]> {
      const rows = await database.run(sessionsById, [[...new Set(ids)]]);
      const byId = new Map(rows.map((row) => [row.sessionId, row]));
      return ids.map((id) => byId.get(id));
    },
    /** Of these those that are over, or whose account is not active any more. */
    async endedOf(ids: ObjectId[]): Promise<ObjectId[]> {
      const rows = await database.run(sessionsById, [ids]);
      const living = rows.filter(({ isEnded, isActive }) => isActive && !isEnded);
      const isLiving = new Set(living.map(({ sessionId }) => sessionId));
      return ids.filter((id) => !isLiving.has(id));
    },
    /** Ends whatever lives on the same user, platform and device, and puts this session there. */
    async replace(tx: Transaction, session: Session): Promise<void> {
      await tx.sql('select 1 from identity.user where id = $1 for no key update', [session.userId]);
      await tx.sql(
        `update identity.session set ended_at = $4, ended_because = 'replaced'
         where user_id = $1 and platform = $2 and device = $3 and ended_at is null`,
        [session.userId, session.platform, session.device, session.createdAt],
      );
      await tx.sql(
        `insert into identity.session
           (id, user_id, platform, device, device_id, user_agent, address, created_at, last_used_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
        [
          session.id,
          session.userId,
          session.platform,
          session.device,
          session.deviceId,
          session.userAgent,
          session.address,
          session.createdAt,
        ],
      );
    },
    async insertToken(
      tx: Transaction,
      token: { digest: Buffer; sessionId: ObjectId; generation: number; at: Date; expiresAt: Date },
    ): Promise<void> {
      await tx.sql(
        `insert into identity.refresh_token (digest, session_id, generation, created_at, expires_at)
         values ($1, $2, $3, $4, $5)`,
        [token.digest, token.sessionId, token.generation, token.at, token.expiresAt],
      );
    },
    /**
     * Whether a user of this e-mail has had a session from this network.
     * @param network an `addressGroup`: of IPv6 any address of the same /64 is known
     */
    async isKnownThere(email: string, network: string): Promise<boolean> {
      const { rows } = await database.sql(
        `select distinct address from (
           select s.address from identity.session s join identity.user u on u.id = s.user_id
           where u.email = $1 order by s.created_at desc limit ${MAX_SESSIONS_COMPARED}) recent`,
        [email],
      );
      return rows.some(({ address }) => addressGroup(address as string) === network);
    },
    async findToken(digest: Buffer): Promise<ShownToken | undefined> {
      return (await database.run(shownToken, [digest]))[0];
    },
    async lockShown(tx: Transaction, digest: Buffer): Promise<ShownToken | undefined> {
      // Two statements: what the second reads is what was committed before the first had its lock.
      await tx.run(lockSessionOfToken, [digest]);
      return (await tx.run(shownToken, [digest]))[0];
    },
    /** Every token of the session up to this generation is spent from now on. */
    async spend(tx: Transaction, sessionId: ObjectId, generation: number, at: Date): Promise<void> {
      await tx.sql(
        `update identity.refresh_token set used_at = $3
         where session_id = $1 and generation <= $2 and used_at is null`,
        [sessionId, generation, at],
      );
      await tx.sql('update identity.session set last_used_at = $2 where id = $1', [sessionId, at]);
    },
    /** Ends the living sessions that are meant; answers how many. */
    async end(
      queries: Queries,
      userId: ObjectId,
      { platform, device, sessionId, except }: SessionTarget,
      because: string,
      at: Date,
    ): Promise<number> {
      const { rows } = await queries.sql(
        `update identity.session set ended_at = $2, ended_because = $3
         where user_id = $1 and ended_at is null
           and ($4::text is null or platform = $4) and ($5::text is null or device = $5)
           and ($6::text is null or id = $6) and ($7::text is null or id <> $7)
         returning 1`,
        [userId, at, because, platform ?? null, device ?? null, sessionId ?? null, except ?? null],
      );
      return rows.length;
    },
    async ofUser(userId: ObjectId, limit: number): Promise<SessionView[]> {
      const { rows } = await database.sql(
        `select id, platform, device, device_id as "deviceId", user_agent as "userAgent", address,
           created_at as "createdAt", last_used_at as "lastUsedAt"
         from identity.session where user_id = $1 and ended_at is null
         order by created_at desc, id desc limit $2`,
        [userId, limit],
      );
      return rows as unknown as SessionView[];
    },
  };
}

export type SessionStore = ReturnType<typeof sessionStore>;
