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
import { expectedStatus, noWish, type Wish, wishing } from '../../support/wishes.ts';
import type { Area, Doing } from '../area.ts';
import { BACKOFFICE_SECRET } from '../installation.ts';
import { handleOf } from '../people.ts';
import { expectStatus, type Stage, Violation } from '../stage.ts';

// What the charting platform holds at the end is what is wanted, whatever happened in between.

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
/** Longer than a call may take. */
const CALL_MS = 600;
const SETTLING_TRIES = 60;

interface Row {
  id: string;
  indicatorId: string;
  status: string;
}

export function accessArea(stage: Stage): Area<typeof accessKinds> {
  const { admin, database, clock, world, people } = stage;
  const { wish, pass, end } = wishing(clock);
  /** Whose handle is uncertain, because the request that named it was given up. */
  const doubtful = new Set<number>();
  const wishes = people.map(() => world.indicators.map(noWish));
  const own = ({ actor }: Doing): Wish[] => wishes[actor.number] as Wish[];
  const chosen = ({ pick: [indicator] }: Doing): number => indicator % world.indicators.length;
  const idOf = (doing: Doing): string => String(world.indicators[chosen(doing)]?.id);
  const one = (doing: Doing): Wish => own(doing)[chosen(doing)] as Wish;
  const handle = ({ actor, pick: [, which] }: Doing): string => handleOf(actor.number, which);

  const post = (path: string, body: object): Promise<Answer> =>
    stage.insist(admin, async (client) =>
      client
        .with({ authorization: undefined, 'x-api-key': undefined, 'x-webhook-secret': BACKOFFICE_SECRET })
        .raw('POST', `/v1/streams/webhooks/${path}`, body),
    );
  const rowOf = (doing: Doing): Promise<Row | undefined> =>
    database.first<Row>(
      'select id, indicator_id, status from indicators.access where user_id = $1 and indicator_id = $2',
      [doing.actor.id, idOf(doing)],
    );
  const decide = (doing: Doing, status: 'approved' | 'denied') =>
    stage.insist(admin, (client) =>
      client.attempt(decideAccessRequest, {
        params: { id: doing.actor.requests[chosen(doing)] as string },
        body: { status },
      }),
    );
  const reportActivity = (active: boolean) => async (doing: Doing) => {
    const { actor } = doing;
    const saidMs = clock.now();
    expectStatus(
      stage,
      `${actor.name} is reported as active: ${active}`,
      await post('activity-status', { userId: actor.id, active }),
      200,
    );
    for (const each of own(doing)) {
      pass(each);
      if (each.source === 'manual' || !each.wanted) continue;
      each.graceEndsAt = active ? undefined : (each.graceEndsAt ?? saidMs + GRACE_MS);
    }
  };
  const retry = ({ id: accessId, indicatorId: id }: Row) =>
    stage.insist(admin, (client) => client.attempt(retryIndicatorAccess, { params: { id, accessId } }));

  return {
    commands: {
      'access.grant-by-hand': async (doing) => {
        const body = { userId: doing.actor.id, chartingUsername: handle(doing) };
        const granted = await stage.insist(admin, (client) =>
          client.attempt(grantIndicatorAccess, { params: { id: idOf(doing) }, body }),
        );
        expectStatus(
          stage,
          `${doing.actor.name} is granted indicator ${chosen(doing)} as ${handle(doing)}`,
          granted,
          201,
        );
        wish(one(doing), handle(doing), 'manual');
      },
      'access.revoke-by-hand': async (doing) => {
        const row = await rowOf(doing);
        const params = { id: idOf(doing), accessId: row?.id ?? '' };
        if (row)
          expectStatus(
            stage,
            `${doing.actor.name}'s access to indicator ${chosen(doing)} is revoked`,
            await stage.insist(admin, (client) => client.attempt(revokeIndicatorAccess, { params })),
            200,
          );
        end(one(doing));
      },
      'access.grant-all': async (doing) => {
        const { customerId, name } = doing.actor;
        const body = { customer_id: customerId, charting_username: handle(doing), action: 'grant' };
        expectStatus(
          stage,
          `${name} is granted everything as ${handle(doing)}`,
          await post('indicator-access', body),
          200,
        );
        for (const each of own(doing)) wish(each, handle(doing), 'automated');
      },
      'access.revoke-all': async (doing) => {
        const body = { customer_id: doing.actor.customerId, action: 'revoke' };
        expectStatus(
          stage,
          `${doing.actor.name} loses everything`,
          await post('indicator-access', body),
          200,
        );
        for (const each of own(doing)) end(each);
      },
      'access.inactive': reportActivity(false),
      'access.active': reportActivity(true),
      'access.rename': async (doing) => {
        const body = { chartingUsername: handle(doing) };
        // Refused while the charting platform cannot say whether it knows the name.
        const saved = await stage.attempt(doing.actor, (client) =>
          client.attempt(setChartingUsername, { body }),
        );
        if (!saved) return void doubtful.add(doing.actor.number);
        expectStatus(stage, `${doing.actor.name} renames to ${handle(doing)}`, saved, 200, 401, 422, 429);
        if (saved.status === 200) for (const each of own(doing)) if (each.wanted) each.handle = handle(doing);
      },
      'access.approve': async (doing) => {
        const answer = await decide(doing, 'approved');
        expectStatus(
          stage,
          `${doing.actor.name}'s request for indicator ${chosen(doing)} is approved`,
          answer,
          200,
        );
        wish(one(doing), answer.data?.chartingId as string, 'marketplace');
      },
      'access.withdraw': async (doing) => {
        expectStatus(
          stage,
          `${doing.actor.name}'s request for indicator ${chosen(doing)} is denied`,
          await decide(doing, 'denied'),
          200,
        );
        if (one(doing).isOfRequest) end(one(doing));
      },
      'access.retry': async (doing) => {
        const row = await rowOf(doing);
        if (row?.status === 'failed')
          expectStatus(stage, `${doing.actor.name}'s access is retried`, await retry(row), 200, 409);
      },
      'access.compare': async () => {
        const compared = await stage.attempt(admin, (client) => client.attempt(compareIndicatorAccess));
        if (compared) expectStatus(stage, 'all access is compared', compared, 200, 409);
      },
    },
    /** Leases end by the clock that jumps, calls by the real one: no call may outlive its lease. */
    beforeJump: () => sleep(CALL_MS),
    settle: async () => {
      await stage.tell('charting', { mode: 'ok' });
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
      throw new Violation('access never comes to rest');
    },
    judge: async () => {
      const rows = await database.all<Row & { userId: string; isWanted: boolean }>(
        'select id, user_id, indicator_id, status, is_wanted from indicators.access',
      );
      for (const actor of people)
        for (const [place, wished] of (wishes[actor.number] as Wish[]).entries()) {
          pass(wished);
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
          ![...doubtful].some((number) => name.startsWith(`trader_${number}_`));
        const wanted = wishes.flatMap((each) => (each[place]?.wanted ? [each[place].handle] : []));
        assert.deepEqual(
          (holders[pineId] ?? []).filter(isCertain).sort(),
          wanted.filter(isCertain).sort(),
          `who holds indicator ${place}`,
        );
      }
    },
  };
}
