// How close does the rate of sign-ins come to that of hashing passwords?
import { hash, verify } from '@node-rs/argon2';
import { SECONDS } from '../paired.ts';
import type { Scene } from '../scene.ts';
import { compared, type Row } from '../table.ts';

const CONNECTIONS = 8;

/** Verifies passwords with the platform's parameters and concurrency, and nothing else. */
async function argon2Turn(): Promise<{ perSecond: number; answered: number }> {
  const stored = await hash('a password', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const until = performance.now() + SECONDS * 1000;
  let count = 0;
  const lane = async () => {
    for (; performance.now() < until; count++) await verify(stored, 'a password');
  };
  await Promise.all([lane(), lane()]);
  return { perSecond: count / SECONDS, answered: count };
}

export async function signIns(scene: Scene): Promise<Row[]> {
  const { ours, requests, fixture } = scene;
  const turns = await scene.interleave('sign-ins', {
    ours: ours(requests.signIn, CONNECTIONS),
    argon2: { run: argon2Turn, stopped: [fixture.pid] },
  });
  return [
    compared({
      what: 'sign-ins, 8 connections',
      ours: turns.ours,
      limit: turns.argon2,
      limitName: 'argon2id alone, two at once',
    }),
  ];
}
