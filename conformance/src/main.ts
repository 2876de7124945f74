#!/usr/bin/env node
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { AREAS } from './areas/index.ts';
import { idOf } from './cases.ts';
import { Obstacle } from './installation.ts';
import { type Options, readOptions, USAGE, UsageFault } from './options.ts';
import { differences, linesOf, summaryOf } from './printing.ts';
import { type Report, runCases } from './run.ts';

const print = (lines: string[]): void => {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
};

/** @throws UsageFault if it cannot be written, before the run is made in vain */
function mustBeWritable(file: string): void {
  try {
    appendFileSync(file, '');
  } catch (error) {
    throw new UsageFault(`The report cannot be written to --json: ${(error as Error).message}`);
  }
}

/** @throws UsageFault if the file is not the report of a run */
function readReport(file: string): Report {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    if (!Array.isArray(report?.cases)) throw new Error(`${file} has no cases`);
    return report;
  } catch (error) {
    throw new UsageFault(`The report of --compare cannot be read: ${(error as Error).message}`);
  }
}

async function check(options: Options): Promise<number> {
  const unknown = options.only.filter((name) => !AREAS.some((area) => area.name === name));
  if (unknown.length > 0)
    throw new UsageFault(`There is no area ${unknown[0]}: ${AREAS.map(({ name }) => name).join(', ')}`);
  const areas = options.only.length > 0 ? AREAS.filter(({ name }) => options.only.includes(name)) : AREAS;
  const former = options.compare === undefined ? undefined : readReport(options.compare);
  const isData = options.json === '-';
  if (options.json && !isData) mustBeWritable(options.json);
  const report = await runCases(areas, options, (outcome) => isData || print(linesOf(outcome)));
  if (isData) print([JSON.stringify(report, null, 2)]);
  else print(summaryOf(report));
  if (options.json && !isData) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (former && !isData) print(['', 'Compared with the other report:', ...differences(former, report)]);
  return report.totals.failed > 0 ? 1 : 0;
}

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') print([USAGE]);
  else if (options === 'list')
    print(AREAS.flatMap(({ name, cases }) => cases.map(({ title }) => idOf(name, title))));
  else process.exitCode = await check(options);
} catch (error) {
  const isKnown = error instanceof UsageFault || error instanceof Obstacle;
  process.stderr.write(`${isKnown ? error.message : String((error as Error).stack)}\n`);
  if (error instanceof UsageFault) process.stderr.write(`\n${USAGE}\n`);
  process.exitCode = 2;
}
