import type { Chance } from '../support/chance.ts';
import type { Actor } from './world.ts';

/** A value from a response: an id, a key or a token, with the actor who received it. */
export interface Found {
  value: string;
  by: Actor;
}

const KEPT = 40;
const MAX_LENGTH = 600;
/** Names of fields whose values other requests may need. */
const WANTED = /(^|[a-z])(id|Id|Key|Url|token|Token|code|username|email|host|after|before)$/;
/** The resources that names refer to, where they differ from the name. */
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

/** Stores values from responses, so that later requests can use them. */
export function poolOf(chance: Chance) {
  const found = new Map<string, Found[]>();

  function add(name: string, value: string, by: Actor): void {
    const values = found.get(name) ?? [];
    if (values.some((one) => one.value === value)) return;
    values.push({ value, by });
    if (values.length > KEPT) values.shift();
    found.set(name, values);
  }

  /** Adds the values of a response. `names` are the resources that its `id` may belong to. */
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
    /** Returns a value with one of these names, half of the time the newest; undefined if there is none. */
    one(...names: string[]): Found | undefined {
      const values = names.flatMap((name) => SAME[name] ?? [name]).flatMap((name) => found.get(name) ?? []);
      if (values.length === 0) return undefined;
      return chance.happens(0.5) ? values.at(-1) : chance.pick(values);
    },
    /** Removes values of deleted records. */
    drop(value: string): void {
      for (const [name, known] of found)
        found.set(
          name,
          known.filter((one) => one.value !== value),
        );
    },
    /** Returns any id, of whatever resource. */
    any(): string {
      const all = [...found.values()].filter((known) => known.length > 0);
      return all.length > 0 ? chance.pick(chance.pick(all)).value : 'f'.repeat(24);
    },
  };
}
export type Pool = ReturnType<typeof poolOf>;
