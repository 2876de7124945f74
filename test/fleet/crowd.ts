import {
  type Client,
  createClient,
  fundWalletAsAdmin,
  memoryStorage,
  signIn,
  signUp,
} from '../../sdk/src/index.ts';
import { newEmail, PASSWORD, Client as RawClient } from '../support/client.ts';
import { PRODUCTION } from '../support/programs.ts';
import { API_KEY } from './fleet.ts';

/** Sockets of one member; each hears for itself. */
const SOCKETS_EACH = 5;
const SIGN_UPS_AT_ONCE = 10;

const person = () => ({ email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B' });

/** The people of the fleet: some transfer Keys to one of them, one speaks in a room, and the others listen there. */
export interface People {
  /** The access token and id of each who transfers. */
  senders: { id: string; token: string }[];
  receiverId: string;
  roomId: string;
  speaker: Session;
  audience: Session[];
}

type Session = ReturnType<typeof memoryStorage>;

/** Signs them up. */
export async function signUpPeople(url: string, lanes: number, sockets: number): Promise<People> {
  const raw = new RawClient(url, { 'x-api-key': API_KEY });
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = PRODUCTION;
  const { data: signedIn } = await raw.call(signIn, { body: { email, password, platform: 'web' } });
  const admin = raw.as(signedIn.accessToken);
  const newMember = async () => {
    const { data } = await raw.call(signUp, { body: { ...person(), platform: 'web' } });
    return { id: data.user.id, token: data.accessToken };
  };
  const receiver = await newMember();
  const senders = await Promise.all(Array.from({ length: lanes }, newMember));
  for (const { id } of senders)
    await admin.call(fundWalletAsAdmin, { body: { userId: id, amount: 1_000_000 } });
  const newSession = async (): Promise<Session> => {
    const storage = memoryStorage();
    const api = createClient({ baseUrl: url, apiKey: API_KEY, storage });
    await api.auth.signUp({ ...person(), platform: 'web' });
    return storage;
  };
  const speaker = await newSession();
  const { id: roomId } = await clientOf(url, speaker).chatrooms.create({ name: 'Fleet', type: 'public' });
  const audience: Session[] = [];
  while (audience.length < sockets / SOCKETS_EACH)
    audience.push(...(await Promise.all(Array.from({ length: SIGN_UPS_AT_ONCE }, newSession))));
  return { senders, receiverId: receiver.id, roomId, speaker, audience };
}

const clientOf = (url: string, storage: Session): Client =>
  createClient({ baseUrl: url, apiKey: API_KEY, storage });

/** Sockets in the room of the people, and one of the speaker, through one balancer. */
export interface Crowd {
  url: string;
  people: People;
  /** Says something in the room; the number that the platform gives it. */
  say(text: string): Promise<number>;
  /** The numbers of the messages that each socket has heard, in their order. */
  heard: number[][];
  leave(): void;
}

export async function enterRoom(url: string, people: People, sockets: number): Promise<Crowd> {
  const { roomId, audience } = people;
  const speaker = clientOf(url, people.speaker);
  const clients = Array.from({ length: sockets }, (_, place) =>
    clientOf(url, audience[place % audience.length] as Session),
  );
  const heard = await Promise.all(
    clients.map(async (api) => {
      const seqs: number[] = [];
      const room = api.live().room(roomId);
      room.on('message', ({ seq }) => seqs.push(seq));
      await new Promise<void>((resolve) => room.on('entered', () => resolve()));
      return seqs;
    }),
  );
  return {
    url,
    people,
    say: async (text) => (await speaker.live().room(roomId).send(text)).seq,
    heard,
    leave: () => {
      for (const api of [speaker, ...clients]) api.live().close();
    },
  };
}
