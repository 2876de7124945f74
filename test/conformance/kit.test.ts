// The cases of the conformance kit, against our own platform; that they find faults is shown in kit-faults.test.ts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AREAS } from '../../conformance/src/areas/index.ts';
import { Installation } from '../../conformance/src/installation.ts';
import { judge } from '../../conformance/src/run.ts';
import { optionsFor } from '../support/conformance-kit.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const installation = new Installation(optionsFor(platform));
await installation.open();
after(() => installation.close());
let assertions = 0;

for (const area of AREAS)
  test(`the platform passes the kit's cases of ${area.name}`, async () => {
    for (const one of area.cases) {
      const { outcome, id, reason, request, answer, ...rest } = await judge(installation, area.name, one);
      assert.equal(outcome, 'passed', `${id}: ${reason} ${JSON.stringify({ request, answer })}`);
      assertions += rest.assertions;
    }
  });

test('the kit asserts a thousand things and more', () => assert.ok(assertions >= 1000, `${assertions}`));
