import { type Chance, seeded } from '../support/chance.ts';
import type { Command, Kinds } from './area.ts';
import { accessKinds } from './areas/access.ts';
import { chatKinds } from './areas/chat.ts';
import { communityKinds } from './areas/community.ts';
import { erasureKinds } from './areas/erasure.ts';
import { faultKinds } from './areas/faults.ts';
import { learningKinds } from './areas/learning.ts';
import { notifyingKinds } from './areas/notifying.ts';
import { publishingKinds } from './areas/publishing.ts';
import { walletKinds } from './areas/wallet.ts';
import { PEOPLE } from './people.ts';

const AREAS: Kinds[] = [
  { ...walletKinds, ...notifyingKinds },
  accessKinds,
  chatKinds,
  publishingKinds,
  learningKinds,
  communityKinds,
  erasureKinds,
];
/** A history draws from few areas, so that the rare combinations that break one of them become likely. */
const AREAS_AT_ONCE = 3;

const LARGEST = 1_000;
const ROUNDS = { least: 2, more: 3 };
const COMMANDS = { least: 10, more: 20 };

/** The kinds of commands to draw from; each is repeated as often as its weight. */
function choiceOf(chance: Chance): string[] {
  const areas = new Set<Kinds>();
  while (areas.size < AREAS_AT_ONCE) areas.add(chance.pick(AREAS));
  return [...areas, faultKinds].flatMap((kinds) =>
    Object.entries(kinds).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind)),
  );
}

const commandOf = (chance: Chance, choice: string[], round: number): Command => ({
  round,
  who: chance.below(PEOPLE),
  kind: chance.pick(choice),
  pick: [chance.below(LARGEST), chance.below(LARGEST), chance.below(LARGEST)],
});

/** Returns the history of a seed, which is always the same one. */
export function historyOf(seed: number): Command[] {
  const chance = seeded(seed);
  const choice = choiceOf(chance);
  const rounds = ROUNDS.least + chance.below(ROUNDS.more);
  return Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: COMMANDS.least + chance.below(COMMANDS.more) }, () =>
      commandOf(chance, choice, round),
    ),
  ).flat();
}
