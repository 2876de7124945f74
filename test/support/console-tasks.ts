import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { operate, type Step } from './console-operator.ts';
import { type browserOfFile, signedInPage, type Watched } from './console-pages.ts';
import { until } from './live.ts';
import { ADMIN, type Member } from './platform.ts';

/** A task: the search, the steps after it, the text that the page then shows, and a check of the effect. */
export interface Task {
  find: [text: string, hit: string | RegExp];
  steps?: Step[];
  shows: string | RegExp;
  isDone?: (page: Page) => Promise<boolean>;
}

/** The text that finds a member in the search, and the hit to choose. */
export const byName = ({ email }: Pick<Member, 'email'>): Task['find'] => [email, new RegExp(email)];

/** The steps that choose an action from the menu of a page. */
export const act = (name: string): Step[] => [{ press: 'More actions' }, { press: name }];

/**
 * Tests that an operator can do each task in at most five clicks from the search, one after another in one browser. The
 * browser is launched before the platform is started, so that both are ready for the first test.
 */
export function testTasks(
  { skip, opened }: ReturnType<typeof browserOfFile>,
  url: string,
  tasks: Record<string, () => Promise<Task>>,
): void {
  let watched: Watched | undefined;
  for (const [name, prepare] of Object.entries(tasks))
    test(`an operator ${name} in at most five clicks from the search`, { skip }, async () => {
      watched ??= await signedInPage(await opened(), url, ADMIN);
      const { page, complaints } = watched;
      const { isDone, ...task } = await prepare();
      await page.goto(`${url}/console/platforms`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const clicks = await operate(page, task);
      assert.ok(clicks <= 5, `${clicks} clicks`);
      await page.locator('main').getByText(task.shows).first().waitFor();
      if (isDone) await until(() => isDone(page), name);
      assert.deepEqual(complaints, []);
    });
}
