import type { Client } from '../client.ts';
import { newEducator } from '../courses.ts';
import type { Member, TestPlatform } from '../platform.ts';

/** A list with the parameter `before`: who reads it, where, and what adds an item to it. */
export interface CursorList {
  reader: Client;
  path: string;
  add(): Promise<unknown>;
}

/** Lists by the names of their operations. */
export type CursorLists = Record<string, CursorList>;

/** The members who read and fill the lists. */
export type People = Awaited<ReturnType<typeof newPeople>>;

/** Ada and Eve are educators, Rich and the fan have Keys, and Ben has nothing. */
export async function newPeople(platform: TestPlatform) {
  const crowd: Member[] = [];
  /** Returns a queue of members who are made as they are needed; all queues have the same ones. */
  function queue(): () => Promise<Member> {
    let taken = 0;
    return async () => {
      const place = taken++;
      crowd[place] ??= await platform.newMember();
      return crowd[place];
    };
  }
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  const [rich, fan] = [await platform.newMemberWith(10_000), await platform.newMemberWith(1_000)];
  return { ada, eve, rich, fan, ben: await platform.newMember(), queue };
}
