// Preloaded into every test process. Node's test runner uses an async hook to know which test some code belongs to. The
// hook is called for every promise, those of the platform included, which takes a tenth of the CPU of a run. This file
// replaces it by an AsyncLocalStorage, which needs no hook.
import asyncHooks, { type AsyncResource } from 'node:async_hooks';

/** The callbacks that the test runner passes to `createHook`. Its `init` registers a test under an async id. */
interface TestRunner {
  init(asyncId: number, type: string, triggerAsyncId: number, resource: object): void;
}

const { createHook, executionAsyncId } = asyncHooks;
const { runInAsyncScope } = asyncHooks.AsyncResource.prototype;
const runningTest = new asyncHooks.AsyncLocalStorage<number>();
let testRunner: TestRunner | undefined;

// The test runner is the first to create a hook, when `node:test` is first imported.
asyncHooks.createHook = (callbacks) => {
  if (testRunner) return createHook(callbacks);
  testRunner = callbacks as TestRunner;
  return createHook({});
};
asyncHooks.executionAsyncId = () => runningTest.getStore() ?? executionAsyncId();

type Work = (this: unknown, ...args: unknown[]) => unknown;

/** The test runner calls each test by `runInAsyncScope`, where its id is stored for all code that the test runs. */
function run(this: AsyncResource, work: Work, self?: unknown, ...args: unknown[]): unknown {
  const isTest = 'subtests' in this;
  if (!testRunner || !isTest) return runInAsyncScope.call(this, work, self, ...args);
  const id = this.asyncId();
  testRunner.init(id, 'Test', 0, this);
  const runTest: Work = (...given) => runningTest.run(id, () => work.apply(self, given));
  return runInAsyncScope.call(this, runTest, undefined, ...args);
}
asyncHooks.AsyncResource.prototype.runInAsyncScope = run as typeof runInAsyncScope;
