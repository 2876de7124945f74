import type { Answer, Request } from './operation.ts';
import type { Keeper } from './signed-in.ts';

/** Forgets the tokens once an operation has ended the account that they belong to. */
export async function forgettingTokens(
  request: Request,
  session: Keeper,
  send: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  const former = await session.read();
  const answer = await send(request);
  // A member who has signed in meanwhile stays signed in.
  if ((await session.read())?.id === former?.id) await session.end(undefined, 'signed-out');
  return answer;
}
