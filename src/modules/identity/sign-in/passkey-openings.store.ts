import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { addressRange } from '../../../kernel/net/addresses.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import type { Use } from '../passkeys/passkeys.model.ts';
import type { RefreshToken, Session } from '../sessions/sessions.model.ts';

/** A session to open by a passkey, and the changes to that passkey. */
export interface PasskeyOpening {
  session: Session;
  token: RefreshToken;
  use: Use;
  /** The credential version of the member, read before the signature was verified. */
  credentialVersion: number;
}

/** A session that was opened. */
export interface Opened {
  id: ObjectId;
  hasReplaced: boolean;
}

/**
 * Opens the ordinary sessions of a batch, and writes nothing for the others: those of members who have changed or
 * whose row or former session is locked, those from a new place, and those whose passkey was removed or used by a
 * copy. It waits for no lock, so that no member delays another. A session that was opened on the same device after
 * the statement began is invisible to it; then the unique index of active sessions rejects the whole statement. The
 * index is checked as rows are inserted, hence the count of the replaced sessions.
 */
const open = statement<Opened>(
  'identity.open-passkey-sessions',
  `with owner as (
     select asked.* from unnest((select $1::text[]), (select $2::text[]), (select $3::integer[]),
         (select $4::text[]), (select $5::text[]), (select $6::text[]), (select $7::text[]), (select $8::text[]),
         (select $9::text[]), (select $10::text[]), (select $11::bigint[]), (select $12::boolean[]),
         (select $13::bytea[]))
       as asked (id, user_id, credential_version, platform, device, device_id, user_agent, address, range,
         passkey_id, counter, backed_up, digest)
     join identity.user u on u.id = asked.user_id and u.credential_version = asked.credential_version
       and u.is_active and u.deleted_at is null
     for no key update of u skip locked),
   former as (
     select s.id, s.user_id from owner
     join identity.session s on s.user_id = owner.user_id and s.platform = owner.platform
       and s.device = owner.device and s.ended_at is null
     for no key update of s skip locked),
   ordinary as (
     select owner.*, former.id as former_id from owner left join former on former.user_id = owner.user_id
     where 2 = (
       select count(*) from identity.known_place p
       where p.user_id = owner.user_id and (p.kind, p.name) in (('device', owner.device), ('range', owner.range)))
     and (former.id is not null or not exists (
       select from identity.session s
       where s.user_id = owner.user_id and s.platform = owner.platform and s.device = owner.device
         and s.ended_at is null))),
   used as (
     update identity.passkey p set counter = o.counter, backed_up = o.backed_up, last_used_at = $14
     from ordinary o
     where p.id = o.passkey_id and (p.counter < o.counter or (p.counter = 0 and o.counter = 0))
     returning o.*),
   seen as (
     update identity.known_place p set seen_at = $14 from used
     where p.user_id = used.user_id and (p.kind, p.name) in (('device', used.device), ('range', used.range))
       and p.seen_at < $14 - $16 * interval '1 millisecond'),
   replaced as (
     update identity.session s set ended_at = $14, ended_because = 'replaced'
     from used where s.id = used.former_id returning 1),
   opened as (
     insert into identity.session
       (id, user_id, platform, device, device_id, user_agent, address, method, created_at, last_used_at)
     select id, user_id, platform, device, device_id, user_agent, address, 'passkey', $14, $14
     from used, (select count(*) from replaced) as number_replaced),
   issued as (
     insert into identity.refresh_token (digest, session_id, generation, created_at, expires_at)
     select digest, id, 1, $14, $15 from used)
   select id, former_id is not null as "hasReplaced" from used`,
);

export const passkeyOpeningStore = (database: Database) => ({
  /**
   * Opens sessions of different members and returns those that it opened; each of the others must be opened in a
   * transaction of its own. All get the time of the first one.
   */
  async open(openings: PasskeyOpening[]): Promise<Opened[]> {
    const [first] = openings;
    if (!first) return [];
    const ofSessions = <Key extends keyof Session>(key: Key) => openings.map(({ session }) => session[key]);
    return database.all(open, [
      ofSessions('id'),
      ofSessions('userId'),
      openings.map(({ credentialVersion }) => credentialVersion),
      ofSessions('platform'),
      ofSessions('device'),
      ofSessions('deviceId'),
      ofSessions('userAgent'),
      ofSessions('address'),
      ofSessions('address').map(addressRange),
      openings.map(({ use }) => use.id),
      openings.map(({ use }) => use.counter),
      openings.map(({ use }) => use.backedUp),
      openings.map(({ token }) => token.digest),
      first.token.at,
      first.token.expiresAt,
      DAY_MS,
    ]);
  },
});
