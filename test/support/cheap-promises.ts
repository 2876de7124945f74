// Loaded into every process of tests before its test file. Node's test runner learns to which test something belongs from
// an asynchronous hook, which is called for every promise of the platform too, and takes a tenth of the CPU of a run.
// An AsyncLocalStorage tells the same without a hook.
import asyncHooks, { type AsyncResource } from 'node:async_hooks';

/** What the test runner hands to `createHook`: `init` adds a test to those that it finds by their asynchronous id. */
interface TestRunner {
  init(asyncId: number, type: string, triggerAsyncId: number, resource: object): void;
}

const { createHook, executionAsyncId } = asyncHooks;
const { runInAsyncScope } = asyncHooks.AsyncResource.prototype;
const runningTest = new asyncHooks.AsyncLocalStorage<number>();
let testRunner: TestRunner | undefined;

// The runner takes these functions when `node:test` is first imported, and is the first to ask for a hook.
asyncHooks.createHook = (callbacks) => {
  if (testRunner) return createHook(callbacks);
  testRunner = callbacks as TestRunner;
  return createHook({});
};
asyncHooks.executionAsyncId = () => runningTest.getStore() ?? executionAsyncId();

type Work = (this: unknown, ...args: unknown[]) => unknown;

/** The runner calls its tests in their asynchronous scope. */
function run(this: AsyncResource, work: Work, self?: unknown, ...args: unknown[]): unknown {
  const isTest = 'subtests' in this;
  if (!testRunner || !isTest) return runInAsyncScope.call(this, work, self, ...args);
  const id = this.asyncId();
  testRunner.init(id, 'Test', 0, this);
  const runTest: Work = (...given) => runningTest.run(id, () => work.apply(self, given));
  return runInAsyncScope.call(this, runTest, undefined, ...args);
}
asyncHooks.AsyncResource.prototype.runInAsyncScope = run as typeof runInAsyncScope;
