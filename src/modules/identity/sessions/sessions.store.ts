import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { addressGroup } from '../../../kernel/net/addresses.ts';
import { knownSession, sessionsById } from './known-sessions.store.ts';
import {
  type ActiveSession,
  type KnownSession,
  type PresentedToken,
  type RefreshToken,
  type Session,
  type SessionTarget,
  UNNAMED_DEVICE,
} from './sessions.model.ts';

/** How many of a user's latest sessions are searched for a known network: most members sign in from where they last did. */
const SESSIONS_COMPARED = [5, 1_000];

/** The columns of a locked member that concern sessions. */
interface LockedUser {
  credentialVersion: number;
  isActive: boolean;
  email: string;
  firstName: string;
}

/** An active session of whoever opened another one, with the device and address of that other one. */
interface Successor {
  id: ObjectId;
  userId: ObjectId;
  device: string;
  address: string;
}

const recentAddresses = statement<{ address: string }>(
  'identity.recent-addresses',
  `select distinct address from (
     select address from identity.session where user_id = (select id from identity.user where email = $1)
     order by created_at desc limit $2) recent`,
);

/** Locks the member's row, which serializes opening and ending their sessions. */
const lockUser = statement<LockedUser>(
  'identity.lock-user',
  `select credential_version as "credentialVersion", is_active as "isActive", email, first_name as "firstName"
   from identity.user
   where id = $1 and deleted_at is null for no key update`,
);

/**
 * Finds, for each session, itself if it is active or else the active session that replaced it on the same device.
 * Devices are the same if both name and id match; unnamed devices are compared by id only.
 */
const findReplacements = statement<{ sessionId: ObjectId; activeId: ObjectId }>(
  'identity.living-in-place',
  `select s.id as "sessionId", l.id as "activeId"
   from identity.session s
   join identity.user u on u.id = s.user_id and u.is_active
   join identity.session l on l.user_id = s.user_id and l.platform = s.platform and l.device = s.device
     and l.ended_at is null
   where s.id = any($1) and (l.id = s.id or (
     l.device_id is not distinct from s.device_id and (s.device <> $2 or s.device_id is not null)
     and not exists (
       select from identity.session between_them
       where between_them.user_id = s.user_id and between_them.platform = s.platform
         and between_them.device = s.device and between_them.created_at >= s.created_at
         and between_them.ended_because <> 'replaced')))`,
);

/**
 * Finds the active sessions of whoever opened a session, and was mailed about none of them: those in its place and under
 * its device name on other platforms, those of an unnamed device from the same address, and what these have passed on by
 * single sign-on, or what was passed on since from where it came. Who signs in under that name after the session was
 * disowned, or the password changed, is somebody else. Unlike {@link findReplacements}, ignores the device id, which the
 * client chooses.
 */
const findSuccessors = statement<Successor>(
  'identity.successors',
  `with named as (select * from identity.session where id = $1),
   of_device as (
     select l.id from named s join identity.session l on l.user_id = s.user_id and l.device = s.device
       and l.created_at >= s.created_at
       and (l.platform = s.platform or s.device <> $2 or l.address = s.address)
     where not exists (
       select from identity.session ended
       where ended.user_id = s.user_id and ended.device = s.device and ended.created_at >= s.created_at
         and ended.created_at <= l.created_at and ended.id <> l.id
         and ended.ended_because in ('disowned', 'password changed')))
   select l.id, l.user_id as "userId", s.device, s.address
   from named s
   join identity.session l on l.user_id = s.user_id and l.ended_at is null and l.created_at >= s.created_at
   where l.id in (select id from of_device) or l.allowance_id in (select id from of_device)
     or (l.allowance_id = s.allowance_id and s.allowance_id <> s.user_id)
   order by l.created_at, l.id`,
);

/** Serializes refreshes of one session, and a refresh with a sign-out. */
const lockSessionOfToken = statement<never>(
  'identity.lock-session-of-token',
  `select 1 from identity.session
   where id = (select session_id from identity.refresh_token where digest = $1)
   for no key update`,
);

const findByDigest = statement<PresentedToken>(
  'identity.shown-token',
  `select s.id as "sessionId", s.user_id as "userId", u.is_active as "isActive", s.ended_at is not null as "isEnded",
     t.generation, t.expires_at as "expiresAt", t.used_at as "usedAt",
     (select max(generation) from identity.refresh_token where session_id = s.id) as "newestGeneration"
   from identity.refresh_token t
   join identity.session s on s.id = t.session_id
   join identity.user u on u.id = s.user_id
   where t.digest = $1`,
);

/**
 * A session lacks a factor if its member has passkeys and no app, whose code every password needs, and it is not opened
 * by a passkey; or if the session that passes it on lacks one. Sessions opened by single sign-on share the allowance of the
 * session that passes them on, so that passing on does not multiply it; without such a session they share one another's.
 *
 * The unique index of active sessions is checked as rows are inserted: the new session is selected from the count of those
 * replaced, so that it comes after them.
 */
const openSession = statement<{ hasReplaced: boolean }>(
  'identity.open-session',
  `with replaced as (
     update identity.session set ended_at = $9, ended_because = 'replaced'
     where user_id = $2 and platform = $3 and device = $4 and ended_at is null returning 1),
   opened as (
     insert into identity.session
       (id, user_id, platform, device, device_id, user_agent, address, method, created_at, last_used_at, lacks_factor,
        allowance_id)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $9,
       ($8 <> 'passkey'
         and exists (select from identity.passkey where user_id = $2)
         and not exists (select from identity.authenticator where user_id = $2 and confirmed_at is not null))
       or exists (select from identity.session where id = $14 and lacks_factor),
       case when $8 = 'sso' then
         coalesce((select coalesce(allowance_id, id) from identity.session where id = $14), $2) end
     from (select count(*) from replaced) as number_replaced),
   issued as (
     insert into identity.refresh_token (digest, session_id, generation, created_at, expires_at)
     values ($10, $1, $11, $12, $13))
   select exists (select from replaced) as "hasReplaced"`,
);

export function sessionStore(database: Database) {
  return {
    /** Returns one result per id, in the same order. */
    async findAll(ids: ObjectId[]): Promise<(KnownSession | undefined)[]> {
      const rows = await database.all(sessionsById, [[...new Set(ids)]]);
      const byId = new Map(rows.map(knownSession).map((session) => [session.sessionId, session]));
      return ids.map((id) => byId.get(id));
    },
    /** Returns the ids whose session has ended or whose account is inactive. */
    async endedOf(ids: ObjectId[], queries: Queries = database): Promise<ObjectId[]> {
      const rows = await queries.all(sessionsById, [ids]);
      const activeSessions = rows.map(knownSession).filter(({ isEnded, isActive }) => isActive && !isEnded);
      const active = new Set(activeSessions.map(({ sessionId }) => sessionId));
      return ids.filter((id) => !active.has(id));
    },
    /** Maps each session to the active session in its place: itself, or the one that replaced it on the same device. */
    async replacementsOf(ids: ObjectId[]): Promise<Map<ObjectId, ObjectId>> {
      const rows = await database.all(findReplacements, [ids, UNNAMED_DEVICE]);
      return new Map(rows.map(({ sessionId, activeId }) => [sessionId, activeId]));
    },
    /** Locks the member until the transaction ends; returns undefined if the account is deleted. */
    async lockUser(tx: Transaction, userId: ObjectId): Promise<LockedUser | undefined> {
      return tx.first(lockUser, [userId]);
    },
    /** Prevents credentials verified earlier from opening a session. The member must be locked. */
    async raiseCredentialVersion(tx: Transaction, userId: ObjectId): Promise<void> {
      await tx.execute('update identity.user set credential_version = credential_version + 1 where id = $1', [
        userId,
      ]);
    },
    /**
     * Returns the active session in place of a session, unless one of those before it was ended otherwise than by being
     * replaced on its platform and device; and the active ones that whoever opened these has opened besides.
     */
    successorsOf: (sessionId: ObjectId, queries: Queries = database): Promise<Successor[]> =>
      queries.all(findSuccessors, [sessionId, UNNAMED_DEVICE]),
    /** Ends what a session has passed on by single sign-on. */
    async endPassedOn(
      tx: Transaction,
      { userId, sessionId }: { userId: ObjectId; sessionId: ObjectId },
      { reason, at }: { reason: string; at: Date },
    ): Promise<void> {
      await tx.execute(
        `update identity.session set ended_at = $3, ended_because = $4
         where user_id = $1 and ended_at is null and (allowance_id = $2 or exists (
           select from identity.session s where s.id = $2 and s.allowance_id <> $1
             and s.allowance_id = session.allowance_id and s.created_at <= session.created_at))`,
        [userId, sessionId, at, reason],
      );
    },
    /** Returns whether the session is active; if so, it stays active until the transaction ends. */
    async isActive(tx: Transaction, sessionId: ObjectId): Promise<boolean> {
      const session = await tx.first<{ isActive: boolean }>(
        'select ended_at is null as is_active from identity.session where id = $1 for share',
        [sessionId],
      );
      return session?.isActive === true;
    },
    /**
     * Inserts a session with its first refresh token, and ends the active one on the same user, platform and device;
     * returns whether there was one. The member must be locked.
     * @param parentId the session that passes this one on by single sign-on
     */
    async open(
      tx: Transaction,
      session: Session,
      token: RefreshToken,
      parentId?: ObjectId,
    ): Promise<boolean> {
      const { id, userId, platform, device, deviceId, userAgent, address, method, createdAt } = session;
      const { digest, generation, at, expiresAt } = token;
      const row = await tx.first(openSession, [
        ...[id, userId, platform, device, deviceId, userAgent, address, method, createdAt],
        ...[digest, generation, at, expiresAt, parentId ?? null],
      ]);
      return row?.hasReplaced === true;
    },
    async insertToken(tx: Transaction, sessionId: ObjectId, token: RefreshToken): Promise<void> {
      const { digest, generation, at, expiresAt } = token;
      await tx.insert('identity.refresh_token', { digest, sessionId, generation, createdAt: at, expiresAt });
    },
    /**
     * Returns whether a user with this e-mail has had a session from this network.
     * @param network an `addressGroup`: IPv6 addresses of the same /64 are considered equal
     */
    async hasSignedInFrom(email: string, network: string): Promise<boolean> {
      for (const compared of SESSIONS_COMPARED) {
        const rows = await database.all(recentAddresses, [email, compared]);
        if (rows.some(({ address }) => addressGroup(address) === network)) return true;
      }
      return false;
    },
    async findToken(digest: Buffer): Promise<PresentedToken | undefined> {
      return database.first(findByDigest, [digest]);
    },
    async lockPresented(tx: Transaction, digest: Buffer): Promise<PresentedToken | undefined> {
      // Two statements, so that the second sees everything committed before the first acquired its lock.
      await tx.execute(lockSessionOfToken, [digest]);
      return tx.first(findByDigest, [digest]);
    },
    /** Marks every unspent token of the session up to this generation as spent. */
    async spend(tx: Transaction, sessionId: ObjectId, generation: number, at: Date): Promise<void> {
      await tx.execute(
        `update identity.refresh_token set used_at = $3
         where session_id = $1 and generation <= $2 and used_at is null`,
        [sessionId, generation, at],
      );
      await tx.execute('update identity.session set last_used_at = $2 where id = $1', [sessionId, at]);
    },
    /** Ends the active sessions that the target selects; returns how many. */
    async end(
      queries: Queries,
      userId: ObjectId,
      { platform, device, sessionId, except }: SessionTarget,
      { reason, at }: { reason: string; at: Date },
    ): Promise<number> {
      return queries.execute(
        `update identity.session set ended_at = $2, ended_because = $3
         where user_id = $1 and ended_at is null
           and ($4::text is null or platform = $4) and ($5::text is null or device = $5)
           and ($6::text is null or id = $6) and ($7::text is null or id <> $7)
         returning 1`,
        [userId, at, reason, platform ?? null, device ?? null, sessionId ?? null, except ?? null],
      );
    },
    /** Returns active sessions, newest first. */
    pageOf: (userId: ObjectId, request: PageRequest): Promise<Page<ActiveSession>> =>
      readPage(
        database,
        {
          columns: `id, platform, device, device_id, user_agent, address, method, created_at, last_used_at,
            elevated_until`,
          from: 'identity.session where user_id = $1 and ended_at is null',
          orderBy: 'created_at desc, id desc',
        },
        [userId],
        request,
      ),
  };
}

export type SessionStore = ReturnType<typeof sessionStore>;
