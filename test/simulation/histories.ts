import { type Chance, seeded } from '../support/chance.ts';
import type { Command, Kinds } from './area.ts';
import { accessKinds } from './areas/access.ts';
import { chatKinds } from './areas/chat.ts';
import { faultKinds } from './areas/faults.ts';
import { leavingKinds } from './areas/leaving.ts';
import { publishingKinds } from './areas/publishing.ts';
import { tellingKinds } from './areas/telling.ts';
import { walletKinds } from './areas/wallet.ts';
import { PEOPLE } from './people.ts';

const KINDS: Kinds = {
  ...walletKinds,
  ...accessKinds,
  ...chatKinds,
  ...publishingKinds,
  ...tellingKinds,
  ...leavingKinds,
  ...faultKinds,
};
const CHOICE = Object.entries(KINDS).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

const LARGEST = 1_000;
const ROUNDS = { least: 2, more: 3 };
const COMMANDS = { least: 10, more: 20 };

const commandOf = (chance: Chance, round: number): Command => ({
  round,
  who: chance.below(PEOPLE),
  kind: chance.pick(CHOICE),
  pick: [chance.below(LARGEST), chance.below(LARGEST), chance.below(LARGEST)],
});

/** Returns the history of a seed: the same one each time. */
export function historyOf(seed: number): Command[] {
  const chance = seeded(seed);
  const rounds = ROUNDS.least + chance.below(ROUNDS.more);
  return Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: COMMANDS.least + chance.below(COMMANDS.more) }, () => commandOf(chance, round)),
  ).flat();
}
