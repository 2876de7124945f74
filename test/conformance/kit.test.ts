// Runs the cases of the conformance kit against the platform. kit-faults.test.ts shows that they find faults.
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

test('the kit makes at least a thousand assertions', () => assert.ok(assertions >= 1000, `${assertions}`));
