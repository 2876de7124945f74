// What follows from the declarations of the metrics: alerts, dashboards, runbooks and the table of the guide.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { allMetrics, monitoringFiles } from '../../deploy/generator/monitoring-files.ts';
import { alertsOf } from '../../deploy/generator/rules.ts';

const RULES = 'deploy/prometheus/alerts.yaml';
const read = (path: string): string => readFileSync(resolve(path), 'utf8');
const promtool = process.env.TEST_PROMTOOL;
const skip = promtool ? false : 'no promtool here';
const folder = mkdtempSync(join(tmpdir(), 'rules-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('alerts, dashboards, runbooks and the table of metrics are those that follow from the source', () => {
  for (const [path, text] of monitoringFiles(read))
    assert.ok(read(path) === text, `${path} is stale: run npm run monitoring`);
});

test('metrics have names of their own and a help text that says whom they tell of', () => {
  const metrics = allMetrics();
  assert.equal(new Set(metrics.map(({ name }) => name)).size, metrics.length);
  for (const { name, help, scope } of metrics) {
    assert.match(name, /^[a-z][a-z0-9_]*$/);
    if (!/^(up|process_|nodejs_|platform_build)/.test(name))
      assert.match(help, scope === 'process' ? /\b(process|LIVE_CONNECTIONS)\b/ : /\binstallation\b/, name);
  }
});

test('each alert has a name of its own, says what it means, and what to do', () => {
  const alerts = alertsOf(allMetrics());
  assert.ok(alerts.length >= 30);
  assert.equal(new Set(alerts.map(({ name }) => name)).size, alerts.length);
  for (const { name, means, steps } of alerts) {
    assert.match(name, /^([A-Z][a-z]+)+$/);
    assert.ok(means.endsWith('.') && steps.length > 0 && steps.every((step) => /[.?]$/.test(step)), name);
  }
});

/** Runs promtool. @returns what it printed; fails when it is not content */
function check(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(promtool as string, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}

test('promtool accepts the rules', { skip }, () => check('check', 'rules', RULES));

interface Case {
  /** Which alert, and what it is about. */
  name: string;
  alert: string;
  series: Record<string, string>;
  at: string;
  /** The labels of each alert that fires. */
  fires: Record<string, string>[];
}

const process_ = '{instance="a:1",job="platform"}';
/** A value at each minute, for so long. */
const steady = (value: number | 'NaN', minutes = 120): string => `${value}+0x${minutes}`;
const CASES: Case[] = [
  {
    name: 'wrong reset codes come from everywhere, a few a minute',
    alert: 'ResetCodesGuessed',
    series: {
      'http_refusals_total{instance="a",status="400",code="INVALID_RESET_CODE"}': '0+4x120',
      'http_refusals_total{instance="b",status="400",code="INVALID_RESET_CODE"}': '0+4x120',
    },
    at: '90m',
    fires: [{}],
  },
  {
    name: 'members mistype their reset codes, and other requests are refused',
    alert: 'ResetCodesGuessed',
    series: {
      'http_refusals_total{instance="a",status="400",code="INVALID_RESET_CODE"}': '0+1x120',
      'http_refusals_total{instance="a",status="400",code="INVALID_ID"}': '0+100x120',
    },
    at: '90m',
    fires: [],
  },
  {
    name: 'the database refuses writes, and takes a few in between',
    alert: 'DatabaseRefusesWrites',
    series: { 'db_writable{instance="a"}': '0 0 0 1 0 0 1 0 0 0', 'db_writable{instance="b"}': steady(1) },
    at: '8m',
    fires: [{}],
  },
  {
    name: 'the database takes writes',
    alert: 'DatabaseRefusesWrites',
    series: { 'db_writable{instance="a"}': steady(1) },
    at: '8m',
    fires: [],
  },
  {
    name: 'no process tells of the installation',
    alert: 'NoReporter',
    series: { [`metrics_reporter${process_}`]: steady(0) },
    at: '10m',
    fires: [{}],
  },
  {
    name: 'no process is scraped at all',
    alert: 'NoReporter',
    series: { unrelated: steady(1) },
    at: '10m',
    fires: [{}],
  },
  {
    name: 'one of two tells of the installation',
    alert: 'NoReporter',
    series: { 'metrics_reporter{instance="a"}': steady(0), 'metrics_reporter{instance="b"}': steady(1) },
    at: '10m',
    fires: [],
  },
  {
    name: 'an alert about money waits for a person',
    alert: 'OperatorAlertOpen',
    series: { [`operator_alerts_open${process_}`]: steady(1) },
    at: '10m',
    fires: [{}],
  },
  {
    name: 'the ledger was never proven',
    alert: 'LedgerNeverVerified',
    series: { ledger_verified_timestamp_seconds: steady('NaN', 1800) },
    at: '27h',
    fires: [{}],
  },
  {
    name: 'the ledger was never proven, but the installation is new',
    alert: 'LedgerNeverVerified',
    series: { ledger_verified_timestamp_seconds: steady('NaN', 1800) },
    at: '20h',
    fires: [],
  },
  {
    name: 'the ledger was proven long ago',
    alert: 'LedgerUnverified',
    series: { ledger_verified_timestamp_seconds: steady(0, 1800) },
    at: '27h',
    fires: [{}],
  },
  {
    name: 'the ledger was proven each night, but not as a whole',
    alert: 'LedgerUnverifiedWhole',
    series: { ledger_verified_whole_timestamp_seconds: steady(0, 15_000) },
    at: '217h',
    fires: [{}],
  },
  {
    name: 'jobs of one queue wait',
    alert: 'JobsWait',
    series: { 'jobs_oldest_seconds{queue="a"}': steady(400), 'jobs_oldest_seconds{queue="b"}': steady(3) },
    at: '10m',
    fires: [{ queue: 'a' }],
  },
  {
    name: 'one in twenty requests fails',
    alert: 'RequestsFail',
    series: {
      'http_request_duration_seconds_count{status="200"}': '0+95x60',
      'http_request_duration_seconds_count{status="503"}': '0+5x60',
    },
    at: '20m',
    fires: [{}],
  },
  {
    name: 'no request fails',
    alert: 'RequestsFail',
    series: { 'http_request_duration_seconds_count{status="200"}': '0+95x60' },
    at: '20m',
    fires: [],
  },
  {
    name: 'a process does not answer',
    alert: 'ProcessAway',
    series: {
      [`up${process_}`]: '1x10 0x20',
      'platform_build_info{instance="a:1",job="platform",role="api"}': '1x10',
      'up{instance="b:1",job="something else"}': '0x30',
    },
    at: '20m',
    fires: [{ instance: 'a:1', job: 'platform' }],
  },
  {
    name: 'a system fails, another answers, a third is not asked',
    alert: 'ExternalCallsFail',
    series: {
      'external_call_duration_seconds_count{system="payments",result="failed"}': '0+3x90',
      'external_call_duration_seconds_count{system="payments",result="answered"}': '0+1x90',
      'external_call_duration_seconds_count{system="storage",result="answered"}': '0+9x90',
      'external_call_duration_seconds_count{system="breaches",result="failed"}': '5x90',
    },
    at: '60m',
    fires: [{ system: 'payments' }],
  },
  {
    name: 'mails fail',
    alert: 'MailsFail',
    series: { 'mails_total{outcome="sent"}': '0+1x90', 'mails_total{outcome="failed"}': '0+9x90' },
    at: '60m',
    fires: [{}],
  },
  {
    name: 'a channel delivers nothing, the others do',
    alert: 'DeliveriesFail',
    series: {
      'notification_deliveries_total{channel="push",outcome="sent"}': '0x90',
      'notification_deliveries_total{channel="push",outcome="retried"}': '0+9x90',
      'notification_deliveries_total{channel="email",outcome="sent"}': '0+9x90',
      'notification_deliveries_total{channel="email",outcome="retried"}': '0x90',
    },
    at: '60m',
    fires: [{ channel: 'push' }],
  },
  {
    name: 'nothing is delivered because there is nothing',
    alert: 'DeliveriesFail',
    series: {
      'notification_deliveries_total{channel="push",outcome="sent"}': '0x90',
      'notification_deliveries_total{channel="push",outcome="retried"}': '0x90',
    },
    at: '60m',
    fires: [],
  },
  {
    name: 'the replica answers nothing',
    alert: 'ReplicaUnused',
    series: { db_replica_queries_total: '0x90', db_replica_fallbacks_total: '0+9x90' },
    at: '60m',
    fires: [{}],
  },
];

/** The rules of an alert without annotations, whose texts each case would have to repeat. */
function rulesOf(alert: string): { labels: object; groups: object[] } {
  const { groups } = parse(read(RULES)) as { groups: { rules: Rule[] }[] };
  const only = groups.flatMap((group) =>
    group.rules
      .filter((rule) => rule.alert === alert)
      .map(({ annotations: _, ...rule }) => ({ ...group, rules: [rule] })),
  );
  const [first] = only;
  assert.ok(first && only.length === 1, alert);
  return { labels: first.rules[0]?.labels as object, groups: only };
}

interface Rule {
  alert: string;
  labels: object;
  annotations: object;
}

/** Writes the cases of an alert beside its rule alone, since promtool evaluates each rule at each minute of each case. */
function testFileOf(alert: string, cases: Case[]): string {
  const { labels, groups } = rulesOf(alert);
  const tests = cases.map(({ name, series, at, fires }) => ({
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    // Without the value, which is a figure that each case would have to compute.
    alert_rule_test: [
      {
        eval_time: at,
        alertname: alert,
        exp_alerts: fires.map((more) => ({ exp_labels: { ...labels, ...more } })),
      },
    ],
  }));
  const rulesFile = join(folder, `rules-${alert}.yaml`);
  const testFile = join(folder, `tests-${alert}.yaml`);
  writeFileSync(rulesFile, stringify({ groups }));
  writeFileSync(testFile, stringify({ rule_files: [rulesFile], tests }));
  return testFile;
}

test('alerts fire when they should, by promtool, and not otherwise', { skip }, () => {
  const byAlert = [...Map.groupBy(CASES, ({ alert }) => alert)];
  check('test', 'rules', ...byAlert.map(([alert, cases]) => testFileOf(alert, cases)));
});
