import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { addressRange } from '../../../kernel/net/addresses.ts';
import { newSignInMail } from '../requested-mails.schemas.ts';
import { type KnownPlace, knownPlaceStore as store } from './known-places.store.ts';
import type { Session } from './sessions.model.ts';

/** Maximum number of places stored for a member; the ones seen longest ago are deleted. */
const MAX_PLACES = 200;
/** Maximum number of sessions read of a member whose sessions are older than the stored places. */
const MAX_SESSIONS = 1_000;

interface Deps {
  events: Pick<Events, 'publish'>;
}

/** The contact of the owner of the new session. */
interface Owner {
  email: string;
  firstName: string;
}

const placesOf = ({ device, address }: Pick<Session, 'device' | 'address'>): KnownPlace[] => [
  { kind: 'device', name: device },
  { kind: 'range', name: addressRange(address) },
];

const distinct = (places: KnownPlace[]): KnownPlace[] => [
  ...new Map(places.map((place) => [`${place.kind} ${place.name}`, place])).values(),
];

/** Sends members a mail about sign-ins from a device name or an address range that they never used before. */
export function newSignIns({ events }: Deps) {
  /** Returns whether all of these places occur among the sessions that were opened before places were stored. */
  async function wereKnown(tx: Transaction, session: Session, places: KnownPlace[]): Promise<boolean> {
    const options = { except: session.id, limit: MAX_SESSIONS };
    const former = (await store.ofSessions(tx, session.userId, options)).flatMap(placesOf);
    await store.note(tx, session.userId, distinct(former).slice(0, MAX_PLACES), session.createdAt);
    const has = (place: KnownPlace) =>
      former.some(({ kind, name }) => kind === place.kind && name === place.name);
    return places.every(has);
  }

  return {
    /** Deletes the place of a session, so that the next sign-in from there is mailed. The owner must be locked. */
    forget: (tx: Transaction, userId: ObjectId, opened: Pick<Session, 'device' | 'address'>): Promise<void> =>
      store.forget(tx, userId, placesOf(opened)),

    /** Stores the place of a session, and returns those parts of it that are new. The owner must be locked. */
    note: (tx: Transaction, session: Session): Promise<KnownPlace[]> =>
      store.note(tx, session.userId, placesOf(session), session.createdAt),

    /** Mails the owner of a session about its new places, in the transaction that opens it. */
    async tell(tx: Transaction, owner: Owner, session: Session, fresh: KnownPlace[]): Promise<void> {
      if (fresh.length === 0) return;
      const isFirst = (await store.count(tx, session.userId)) === fresh.length;
      await store.keepNewest(tx, session.userId, MAX_PLACES);
      if (isFirst && (await wereKnown(tx, session, placesOf(session)))) return;
      await events.publish(tx, newSignInMail, {
        userId: session.userId,
        email: owner.email,
        firstName: owner.firstName,
        sessionId: session.id,
        platform: session.platform,
        device: session.device,
        address: session.address,
        at: session.createdAt.toISOString(),
      });
    },
  };
}

export type NewSignIns = ReturnType<typeof newSignIns>;
