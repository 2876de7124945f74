import { METRIC_GROUPS, type MetricDescription } from '../../src/kernel/metric.ts';
import { typeOf } from './texts.ts';

/** A query of a panel, and what its lines are called. */
interface Target {
  expr: string;
  legendFormat: string;
}

/** A panel of a dashboard before it has a place. */
interface Panel {
  title: string;
  description?: string;
  unit: string;
  targets: Target[];
}

const WIDTH = 8;
const HEIGHT = 7;
const COLUMNS = 3;
/** Lines of a panel; those of labels with many values are the highest. */
const MAX_LINES = 12;

/** The window of rates, over several scrapes. */
const RATE = '[$__rate_interval]';

const lines = (labels: readonly string[]): string => labels.map((label) => `{{${label}}}`).join(' ') || 'all';

function unitOf({ name }: MetricDescription): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return name.endsWith('_bytes') ? 'bytes' : 'short';
}

const by = (labels: readonly string[]): string => (labels.length > 0 ? ` by (${labels.join(', ')})` : '');

function histogramTargets({ name, labels = [] }: MetricDescription): Target[] {
  const [first] = labels;
  const grouped = by(['le', ...(first ? [first] : [])]);
  return [0.5, 0.99].map((quantile) => ({
    expr: `topk(${MAX_LINES}, histogram_quantile(${quantile}, sum${grouped} (rate(${name}_bucket${RATE}))))`,
    legendFormat: `p${quantile * 100} ${first ? `{{${first}}}` : ''}`.trim(),
  }));
}

/** Returns the queries that show a metric: rates of counters, quantiles of histograms, values of gauges. */
function targetsOf(metric: MetricDescription): Target[] {
  const { name, labels = [], scope } = metric;
  const type = typeOf(metric);
  if (type === 'histogram') return histogramTargets(metric);
  if (type === 'counter')
    return [
      { expr: `topk(${MAX_LINES}, sum${by(labels)} (rate(${name}${RATE})))`, legendFormat: lines(labels) },
    ];
  const shown = scope === 'process' && labels.length === 0 ? ['instance'] : labels;
  const value = /(timestamp|start_time)_seconds$/.test(name) ? `time() - ${name}` : name;
  return [{ expr: `topk(${MAX_LINES}, max${by(shown)} (${value}))`, legendFormat: lines(shown) }];
}

const panelOf = (metric: MetricDescription): Panel => ({
  title: metric.name,
  description: metric.help,
  unit: typeOf(metric) === 'counter' && unitOf(metric) === 'short' ? 'ops' : unitOf(metric),
  targets: targetsOf(metric),
});

const placed = ({ title, description, unit, targets }: Panel, id: number, y: number) => ({
  id,
  type: 'timeseries',
  title,
  ...(description && { description }),
  datasource: { type: 'prometheus', uid: 'platform' },
  gridPos: { x: ((id - 1) % COLUMNS) * WIDTH, y, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: targets.map((target, place) => ({ refId: String.fromCharCode(65 + place), ...target })),
});

const dashboard = (uid: string, title: string, panels: object[]) => ({
  uid,
  title,
  tags: ['platform'],
  schemaVersion: 39,
  version: 1,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  panels,
});

/** Returns the dashboard with a row for each group of metrics and a panel for each metric. */
export function allMetricsDashboard(metrics: readonly MetricDescription[]) {
  const rows = METRIC_GROUPS.map((group, place) => {
    const panels = metrics.filter((one) => one.group === group).map(panelOf);
    return {
      id: (place + 1) * 1_000,
      type: 'row',
      title: group,
      collapsed: true,
      gridPos: { x: 0, y: place, w: WIDTH * COLUMNS, h: 1 },
      panels: panels.map((panel, at) => ({
        ...placed(panel, at + 1, Math.floor(at / COLUMNS) * HEIGHT + place + 1),
        id: (place + 1) * 1_000 + at + 1,
      })),
    };
  });
  return dashboard('platform-metrics', 'Platform: all metrics', rows);
}

const OVERVIEW: Panel[] = [
  {
    title: 'Firing alerts',
    unit: 'short',
    targets: [
      {
        expr: 'sum by (alertname) (ALERTS{alertstate="firing"}) or vector(0)',
        legendFormat: '{{alertname}}',
      },
    ],
  },
  {
    title: 'Requests a second, by class of status',
    unit: 'reqps',
    targets: [
      {
        expr: `sum by (class) (label_replace(rate(http_request_duration_seconds_count${RATE}), "class", "\${1}xx", "status", "(.).."))`,
        legendFormat: '{{class}}',
      },
    ],
  },
  {
    title: 'Response time',
    unit: 's',
    targets: [0.5, 0.95, 0.99].map((quantile) => ({
      expr: `histogram_quantile(${quantile}, sum by (le) (rate(http_request_duration_seconds_bucket${RATE})))`,
      legendFormat: `p${quantile * 100}`,
    })),
  },
  {
    title: 'Where requests spend their time, on average',
    unit: 's',
    targets: [
      ['database', 'http_request_database_seconds'],
      ['waiting for a connection', 'http_request_connection_seconds'],
      ['in all', 'http_request_duration_seconds'],
    ].map(([legendFormat, name]) => ({
      expr: `sum(rate(${name}_sum${RATE})) / sum(rate(http_request_duration_seconds_count${RATE}))`,
      legendFormat: legendFormat as string,
    })),
  },
  {
    title: 'Requests under way, and callers without a database connection',
    unit: 'short',
    targets: [
      { expr: 'sum(http_requests_in_flight)', legendFormat: 'under way' },
      { expr: 'sum(db_pool_waiting_requests)', legendFormat: 'without a connection' },
    ],
  },
  {
    title: 'Waiting work',
    unit: 's',
    targets: [
      { expr: 'max(jobs_oldest_seconds)', legendFormat: 'oldest ready job' },
      { expr: 'max(outbox_lag_seconds)', legendFormat: 'oldest event' },
    ],
  },
  {
    title: 'Connected members',
    unit: 'short',
    targets: [{ expr: 'sum by (instance) (live_connections)', legendFormat: '{{instance}}' }],
  },
  {
    title: 'Memory by process',
    unit: 'bytes',
    targets: [{ expr: 'process_resident_memory_bytes', legendFormat: '{{instance}}' }],
  },
  {
    title: 'CPU by process (1 is a core)',
    unit: 'short',
    targets: [{ expr: `rate(process_cpu_seconds_total${RATE})`, legendFormat: '{{instance}}' }],
  },
  {
    title: 'Database size',
    unit: 'bytes',
    targets: [{ expr: 'max(db_size_bytes)', legendFormat: 'on disk' }],
  },
  {
    title: 'Since the last backup and the last proof of the ledger',
    unit: 's',
    targets: [
      { expr: 'time() - max(backup_last_timestamp_seconds)', legendFormat: 'backup' },
      { expr: 'time() - max(ledger_verified_timestamp_seconds)', legendFormat: 'proof of the ledger' },
    ],
  },
  {
    title: 'Processes by role and release',
    unit: 'short',
    targets: [
      { expr: 'count by (role, version) (platform_build_info)', legendFormat: '{{role}} {{version}}' },
    ],
  },
];

/** Returns the dashboard for a first look. */
export const overviewDashboard = () =>
  dashboard(
    'platform-overview',
    'Platform: overview',
    OVERVIEW.map((panel, at) => placed(panel, at + 1, Math.floor(at / COLUMNS) * HEIGHT)),
  );

/** Returns all queries of a dashboard, with the window that Grafana would choose. */
export function queriesOf(board: ReturnType<typeof dashboard>, window: string): string[] {
  const texts: string[] = [];
  JSON.stringify(board, (key, value) => {
    if (key === 'expr') texts.push(String(value).replaceAll('$__rate_interval', window));
    return value;
  });
  return texts;
}
