import type { Answer, Request } from './operation.ts';
import type { Keeper } from './signed-in.ts';

/** Deletes the stored tokens after an operation has ended their account. */
export async function forgettingTokens(
  request: Request,
  session: Keeper,
  send: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  const former = await session.read();
  const answer = await send(request);
  // If another member has signed in meanwhile, their tokens stay.
  if ((await session.read())?.id === former?.id) await session.end(undefined, 'signed-out');
  return answer;
}
