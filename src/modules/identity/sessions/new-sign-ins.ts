import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { addressRange } from '../../../kernel/net/addresses.ts';
import { newSignInMail } from '../requested-mails.schemas.ts';
import { type KnownPlace, knownPlaceStore as store } from './known-places.store.ts';
import type { Session } from './sessions.model.ts';

/** Places remembered of a member; those that were seen longest ago are forgotten. */
const MAX_PLACES = 200;
/** Sessions of before places were remembered, of one member. */
const MAX_SESSIONS = 1_000;

interface Deps {
  events: Pick<Events, 'publish'>;
}

/** How to reach whose session was opened. */
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
  /** Returns whether the sessions of before places were remembered were opened at all of these. */
  async function wereKnown(tx: Transaction, session: Session, places: KnownPlace[]): Promise<boolean> {
    const options = { except: session.id, limit: MAX_SESSIONS };
    const former = (await store.ofSessions(tx, session.userId, options)).flatMap(placesOf);
    await store.note(tx, session.userId, distinct(former).slice(0, MAX_PLACES), session.createdAt);
    const has = (place: KnownPlace) =>
      former.some(({ kind, name }) => kind === place.kind && name === place.name);
    return places.every(has);
  }

  return {
    /** Forgets the place of a session, so that the next sign-in from there is mailed. The owner must be locked. */
    forget: (tx: Transaction, userId: ObjectId, opened: Pick<Session, 'device' | 'address'>): Promise<void> =>
      store.forget(tx, userId, placesOf(opened)),

    /** Notes where a session is opened, and returns what of it is new. The owner must be locked. */
    note: (tx: Transaction, session: Session): Promise<KnownPlace[]> =>
      store.note(tx, session.userId, placesOf(session), session.createdAt),

    /** Mails the owner of a session about the places of it that are new, in the transaction that opens it. */
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
