// A reporter of node:test that prints the first failure and ends the process with it.
import type { TestEvent } from 'node:test/reporters';

export default async function* stopping(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    process.stdout.write(`${data.name}: ${data.details.error.message.split('\n', 1)[0]}\n`, () =>
      process.exit(1),
    );
    yield '';
  }
}
