import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  compareIndicatorAccess,
  decideAccessRequest,
  grantIndicatorAccess,
  retryIndicatorAccess,
  revokeIndicatorAccess,
  setChartingUsername,
} from '../../../sdk/src/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/time/time.ts';
import type { Answer } from '../../support/answer.ts';
import { expectedStatus, noWish, type Wish, wishChanges } from '../../support/wishes.ts';
import type { Area, Execution } from '../area.ts';
import { BACKOFFICE_SECRET } from '../installation.ts';
import { handleOf } from '../people.ts';
import { expectStatus, type Stage, Violation } from '../stage.ts';

// In the end the charting platform grants exactly the access that the model wants, whatever failed in between.

export const accessKinds = {
  'access.grant-by-hand': 2,
  'access.revoke-by-hand': 2,
  'access.grant-all': 2,
  'access.revoke-all': 2,
  'access.inactive': 2,
  'access.active': 1,
  'access.rename': 2,
  'access.approve': 2,
  'access.withdraw': 1,
  'access.retry': 1,
  'access.compare': 1,
};

/** The default of `INDICATOR_GRACE_DAYS`. */
const GRACE_MS = 7 * DAY_MS;
/** Longer than the timeout of a call to the charting platform (`CHARTING_TIMEOUT_SECONDS` in `installation.ts`). */
const CALL_MS = 600;
const SETTLING_TRIES = 60;

interface Row {
  id: string;
  indicatorId: string;
  status: string;
}

export function accessArea(stage: Stage): Area<typeof accessKinds> {
  const { admin, database, clock, world, people } = stage;
  const { wish, endGrace, end } = wishChanges(clock);
  /** People whose handle is unknown, because the request that changed it was given up. */
  const uncertainHandles = new Set<number>();
  const wishes = people.map(() => world.indicators.map(noWish));
  const ownWishes = ({ actor }: Execution): Wish[] => wishes[actor.number] as Wish[];
  const chosenIndicator = ({ pick: [indicator] }: Execution): number => indicator % world.indicators.length;
  const idOf = (execution: Execution): string => String(world.indicators[chosenIndicator(execution)]?.id);
  const chosenWish = (execution: Execution): Wish => ownWishes(execution)[chosenIndicator(execution)] as Wish;
  const handle = ({ actor, pick: [, which] }: Execution): string => handleOf(actor.number, which);

  const post = (path: string, body: object): Promise<Answer> =>
    stage.retryUntilCertain(admin, async (client) =>
      client
        .with({ authorization: undefined, 'x-api-key': undefined, 'x-webhook-secret': BACKOFFICE_SECRET })
        .raw('POST', `/v1/streams/webhooks/${path}`, body),
    );
  const rowOf = (execution: Execution): Promise<Row | undefined> =>
    database.first<Row>(
      'select id, indicator_id, status from indicators.access where user_id = $1 and indicator_id = $2',
      [execution.actor.id, idOf(execution)],
    );
  const decide = (execution: Execution, status: 'approved' | 'denied') =>
    stage.retryUntilCertain(admin, (client) =>
      client.attempt(decideAccessRequest, {
        params: { id: execution.actor.requests[chosenIndicator(execution)] as string },
        body: { status },
      }),
    );
  const reportActivity = (active: boolean) => async (execution: Execution) => {
    const { actor } = execution;
    const reportedMs = clock.now();
    expectStatus(
      stage,
      `${actor.name} is reported as active: ${active}`,
      await post('activity-status', { userId: actor.id, active }),
      200,
    );
    for (const each of ownWishes(execution)) {
      endGrace(each);
      if (each.source === 'manual' || !each.wanted) continue;
      each.graceEndsAt = active ? undefined : (each.graceEndsAt ?? reportedMs + GRACE_MS);
    }
  };
  const retry = ({ id: accessId, indicatorId: id }: Row) =>
    stage.retryUntilCertain(admin, (client) =>
      client.attempt(retryIndicatorAccess, { params: { id, accessId } }),
    );

  return {
    commands: {
      'access.grant-by-hand': async (execution) => {
        const body = { userId: execution.actor.id, chartingUsername: handle(execution) };
        const granted = await stage.retryUntilCertain(admin, (client) =>
          client.attempt(grantIndicatorAccess, { params: { id: idOf(execution) }, body }),
        );
        expectStatus(
          stage,
          `${execution.actor.name} is granted indicator ${chosenIndicator(execution)} as ${handle(execution)}`,
          granted,
          201,
        );
        wish(chosenWish(execution), handle(execution), 'manual');
      },
      'access.revoke-by-hand': async (execution) => {
        const row = await rowOf(execution);
        const params = { id: idOf(execution), accessId: row?.id ?? '' };
        if (row)
          expectStatus(
            stage,
            `${execution.actor.name}'s access to indicator ${chosenIndicator(execution)} is revoked`,
            await stage.retryUntilCertain(admin, (client) =>
              client.attempt(revokeIndicatorAccess, { params }),
            ),
            200,
          );
        end(chosenWish(execution));
      },
      'access.grant-all': async (execution) => {
        const { customerId, name } = execution.actor;
        const body = { customer_id: customerId, charting_username: handle(execution), action: 'grant' };
        expectStatus(
          stage,
          `${name} is granted everything as ${handle(execution)}`,
          await post('indicator-access', body),
          200,
        );
        for (const each of ownWishes(execution)) wish(each, handle(execution), 'automated');
      },
      'access.revoke-all': async (execution) => {
        const body = { customer_id: execution.actor.customerId, action: 'revoke' };
        expectStatus(
          stage,
          `${execution.actor.name} loses everything`,
          await post('indicator-access', body),
          200,
        );
        for (const each of ownWishes(execution)) end(each);
      },
      'access.inactive': reportActivity(false),
      'access.active': reportActivity(true),
      'access.rename': async (execution) => {
        const body = { chartingUsername: handle(execution) };
        // Fails while the charting platform cannot confirm that the name exists.
        const saved = await stage.attempt(execution.actor, (client) =>
          client.attempt(setChartingUsername, { body }),
        );
        if (!saved) return void uncertainHandles.add(execution.actor.number);
        expectStatus(
          stage,
          `${execution.actor.name} renames to ${handle(execution)}`,
          saved,
          200,
          401,
          422,
          429,
        );
        if (saved.status === 200)
          for (const each of ownWishes(execution)) if (each.wanted) each.handle = handle(execution);
      },
      'access.approve': async (execution) => {
        const answer = await decide(execution, 'approved');
        expectStatus(
          stage,
          `${execution.actor.name}'s request for indicator ${chosenIndicator(execution)} is approved`,
          answer,
          200,
        );
        wish(chosenWish(execution), answer.data?.chartingId as string, 'marketplace');
      },
      'access.withdraw': async (execution) => {
        expectStatus(
          stage,
          `${execution.actor.name}'s request for indicator ${chosenIndicator(execution)} is denied`,
          await decide(execution, 'denied'),
          200,
        );
        if (chosenWish(execution).isOfRequest) end(chosenWish(execution));
      },
      'access.retry': async (execution) => {
        const row = await rowOf(execution);
        if (row?.status === 'failed')
          expectStatus(stage, `${execution.actor.name}'s access is retried`, await retry(row), 200, 409);
      },
      'access.compare': async () => {
        const compared = await stage.attempt(admin, (client) => client.attempt(compareIndicatorAccess));
        if (compared) expectStatus(stage, 'all access is compared', compared, 200, 409);
      },
    },
    /** Waits for running calls: they end by the real clock, but must not outlive their leases on the jumping one. */
    beforeJump: () => sleep(CALL_MS),
    settle: async () => {
      await stage.control('charting', { mode: 'ok' });
      const platform = await stage.installation.platform();
      for (let tries = 0; tries < SETTLING_TRIES; tries++) {
        const failed = await database.all<Row>(
          `select id, indicator_id, status from indicators.access where status = 'failed'`,
        );
        for (const row of failed) await retry(row);
        await platform.runJob('indicators.carry-out').catch(() => undefined);
        const open = await database.count(
          `select count(*) from indicators.access where status in ('pending_grant', 'failed')
             or (status = 'pending_revoke' and (not is_wanted or grace_ends_at <= $1)) or leased_until > $1`,
          [clock.date()],
        );
        if (open === 0) return;
        clock.advance(MINUTE_MS / 4);
        await sleep(20);
      }
      throw new Violation('some access stays pending or failed');
    },
    judge: async () => {
      const rows = await database.all<Row & { userId: string; isWanted: boolean }>(
        'select id, user_id, indicator_id, status, is_wanted from indicators.access',
      );
      for (const actor of people)
        for (const [place, wished] of (wishes[actor.number] as Wish[]).entries()) {
          endGrace(wished);
          const row = rows.find(
            ({ userId, indicatorId }) => userId === actor.id && indicatorId === world.indicators[place]?.id,
          );
          assert.equal(
            row?.status ?? 'revoked',
            expectedStatus(wished),
            `${actor.name}'s access to indicator ${place}: ${JSON.stringify(wished)}`,
          );
        }
      const { holders } = (await (
        await fetch(`${stage.installation.sandboxUrl}/control/charting`)
      ).json()) as { holders: Record<string, string[]> };
      for (const [place, { pineId }] of world.indicators.entries()) {
        const isCertain = (name: string) =>
          ![...uncertainHandles].some((number) => name.startsWith(`trader_${number}_`));
        const wanted = wishes.flatMap((each) => (each[place]?.wanted ? [each[place].handle] : []));
        assert.deepEqual(
          (holders[pineId] ?? []).filter(isCertain).sort(),
          wanted.filter(isCertain).sort(),
          `the holders of indicator ${place}`,
        );
      }
    },
  };
}
