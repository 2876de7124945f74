import type { Operation } from '../../kernel/operations/operation.ts';

/** Sentences about the groups of operations in the reference, by their tag. */
export type Sections = Record<string, string>;

/** The audiences in the order in which the reference serves them; those of other systems come last. */
const AUDIENCES = ['client', 'member', 'educator', 'moderator', 'administrator', 'operator'];

/** The groups of the gateway's own operations, and of the webhooks that several modules receive. */
export const GATEWAY_SECTIONS: Sections = {
  'API keys': 'The keys of client applications: issuing, listing and revoking them.',
  Errors: 'Failures that clients were answered with, looked up by `errorId`.',
  Webhooks: 'What other systems send to the platform: payments, purchases and access to indicators.',
};

/**
 * Returns the tags of these operations with their sentences, ordered by audience: signing in, which needs no member, comes
 * first, then the tags for members, educators, moderators, administrators, operators and other systems.
 */
export function tagsOf(
  operations: Operation[],
  sections: Sections,
): { name: string; description?: string }[] {
  const groups = Map.groupBy(operations, ({ tag }) => tag);
  return [...groups]
    .map(([name, some]) => ({ name, rank: rankOf(some) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => ({ name, ...(sections[name] ? { description: sections[name] } : {}) }));
}

/** The place of an audience among all, by its first mark: the first is that of any client. */
export function rankOfAudience([first = '']: readonly string[]): number {
  const rank = AUDIENCES.indexOf(first);
  return rank < 0 ? AUDIENCES.length : rank;
}

/**
 * A few operations that need only an API key do not make a group one of those that need no member; of those, the one with
 * the most comes first. Links that people open are for anybody, and say nothing about a group.
 */
function rankOf(operations: Operation[]): number {
  const ranks = operations.map(({ access }) => rankOfAudience(access.audience));
  const forClients = ranks.filter((rank) => rank === 0).length;
  if (forClients > ranks.filter((rank) => rank < AUDIENCES.length).length / 2) return -forClients;
  return Math.min(...ranks.filter((rank) => rank !== 0));
}
