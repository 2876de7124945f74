import type { Chance } from '../support/chance.ts';
import type { Actor } from './world.ts';

/** Something that an answer named: an id, a key or a token, with the actor to whom it was told. */
export interface Found {
  value: string;
  by: Actor;
}

const KEPT = 40;
const MAX_LENGTH = 600;
/** Names whose values other requests may need. */
const WANTED = /(^|[a-z])(id|Id|Key|Url|token|Token|code|username|email|host|after|before)$/;
/** What names stand for, where it is not the resource of their own name. */
const SAME: Record<string, string[]> = {
  toUserId: ['userId'],
  fromUserId: ['userId'],
  hostId: ['educatorId'],
  host: ['educatorId'],
  instructorId: ['educatorId'],
  educatorId: ['educatorId', 'educators'],
  userId: ['userId', 'users'],
  userIds: ['userId'],
  contentId: ['lessonId', 'storyId', 'livestreamId', 'lessons', 'stories'],
  subjectId: ['messageId', 'announcementId', 'postId', 'storyId', 'messages', 'announcements', 'posts'],
  mediaUrl: ['publicUrl'],
  thumbnailUrl: ['publicUrl'],
  profileImage: ['publicUrl'],
  banner_image: ['publicUrl'],
  imageUrl: ['publicUrl'],
  scannerId: ['scanners', 'scannerId'],
  productId: ['products', 'productId'],
  moduleId: ['modules', 'moduleId'],
  customer_id: ['customerId'],
};

/** Remembers what answers named, so that later requests can name it. */
export function poolOf(chance: Chance) {
  const found = new Map<string, Found[]>();

  function add(name: string, value: string, by: Actor): void {
    const known = found.get(name) ?? [];
    if (known.some((one) => one.value === value)) return;
    known.push({ value, by });
    if (known.length > KEPT) known.shift();
    found.set(name, known);
  }

  /** Adds what a value names. `names` are what an `id` in it is the id of. */
  function harvest(value: unknown, by: Actor, names: string[]): void {
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 5)) harvest(one, by, names);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) harvestField(name, inner, by, names);
    }
  }

  function harvestField(name: string, inner: unknown, by: Actor, names: string[]): void {
    if (typeof inner === 'object') harvest(inner, by, [`${name}Id`, name]);
    else if (typeof inner === 'string' && inner.length <= MAX_LENGTH && WANTED.test(name))
      for (const one of name === 'id' ? names : [name]) add(one, inner, by);
  }

  return {
    add,
    harvest,
    /** Returns something under one of these names, the newest half of the time; undefined if there is nothing. */
    one(...names: string[]): Found | undefined {
      const known = names.flatMap((name) => SAME[name] ?? [name]).flatMap((name) => found.get(name) ?? []);
      if (known.length === 0) return undefined;
      return chance.happens(0.5) ? known.at(-1) : chance.pick(known);
    },
    /** Forgets what is gone. */
    drop(value: string): void {
      for (const [name, known] of found)
        found.set(
          name,
          known.filter((one) => one.value !== value),
        );
    },
    /** Returns any id, whatever it is of. */
    any(): string {
      const all = [...found.values()].filter((known) => known.length > 0);
      return all.length > 0 ? chance.pick(chance.pick(all)).value : 'f'.repeat(24);
    },
  };
}
export type Pool = ReturnType<typeof poolOf>;
